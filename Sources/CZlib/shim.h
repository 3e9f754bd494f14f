#if __has_include(<zlib.h>)
#include <zlib.h>
#else
#error "zlib is missing: install zlib1g-dev (apt); on a Mac it comes with Xcode"
#endif
