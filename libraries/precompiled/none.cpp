// The source for compiling the header; see meson.build.
