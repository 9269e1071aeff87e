// The program for compiling the header; see meson.build.
int main() { return 0; }
