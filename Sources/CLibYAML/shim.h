#if __has_include(<yaml.h>)
#include <yaml.h>
#else
#error "libyaml is missing: install libyaml-dev (apt) or libyaml (brew)"
#endif
