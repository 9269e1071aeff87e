// The program that the header is compiled for; see meson.build.
int main() { return 0; }
