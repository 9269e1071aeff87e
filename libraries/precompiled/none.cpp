// The source that the header is compiled for; see meson.build.
