#if __has_include(<yaml.h>)
#include <yaml.h>
#else
#error "libyaml is missing: install libyaml-dev (apt) or libyaml (brew). If it is installed and Xcode does not find it, run once: sudo mkdir -p /usr/local/lib/pkgconfig && sudo ln -sf $(brew --prefix)/lib/pkgconfig/yaml-0.1.pc /usr/local/lib/pkgconfig/"
#endif
