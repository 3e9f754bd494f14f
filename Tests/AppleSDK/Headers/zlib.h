// zlib's own header, which comes with Apple's SDK; https://zlib.net/manual.html
#pragma once
#define ZLIB_VERSION "1.2.12"
#define Z_OK 0
#define Z_STREAM_END 1
#define Z_NO_FLUSH 0
#define Z_FINISH 4
#define MAX_WBITS 15
typedef unsigned char Byte, Bytef;
typedef unsigned int uInt;
typedef unsigned long uLong;
typedef void *voidpf;
typedef voidpf (*alloc_func)(voidpf, uInt, uInt);
typedef void (*free_func)(voidpf, voidpf);
struct internal_state;
typedef struct z_stream_s {
    Bytef *next_in; uInt avail_in; uLong total_in;
    Bytef *next_out; uInt avail_out; uLong total_out;
    char *msg; struct internal_state *state;
    alloc_func zalloc; free_func zfree; voidpf opaque;
    int data_type; uLong adler, reserved;
} z_stream, *z_streamp;
int inflateInit2_(z_streamp, int windowBits, const char *version, int size);
int inflate(z_streamp, int flush);
int inflateEnd(z_streamp);
uLong crc32(uLong, const Bytef *, uInt);
