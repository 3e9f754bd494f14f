#ifndef C_SCAN_H
#define C_SCAN_H

#include <stdbool.h>
#include <stdint.h>

// Scans blocks of 16 bytes. Swift's vectors have no operation that turns a comparison into an integer,
// as SSE2 and NEON have, with which finding the first byte of a kind takes a third of the time.
// Each function reads 16 bytes. Those named `portable` work everywhere; tests compare them with the
// others.

#define C_SCAN static inline __attribute__((always_inline))

/// The number of bytes before the first that is not a space.
C_SCAN int c_scan_spaces_portable(const uint8_t *bytes) {
    int count = 0;
    while (count < 16 && bytes[count] == ' ') count++;
    return count;
}

/// The number of bytes before the first quote, backslash or control character; 32 is added if one of
/// these is not ASCII.
C_SCAN int c_scan_text_portable(const uint8_t *bytes) {
    int count = 0;
    uint8_t all = 0;
    while (count < 16 && bytes[count] >= ' ' && bytes[count] != '"' && bytes[count] != '\\') {
        all |= bytes[count++];
    }
    return count | (all >> 7) << 5;
}

/// Whether the first bytes, 16 at most, are equal.
C_SCAN bool c_scan_is_equal_portable(const uint8_t *one, const uint8_t *other, int count) {
    for (int place = 0; place < count; place++) {
        if (one[place] != other[place]) return false;
    }
    return true;
}

/// Copies text up to the first quote, backslash or control character, and returns the number of bytes
/// before that. Reads `count` bytes and no other; overwrites up to 16 bytes after the last copied one.
C_SCAN long c_scan_copy_portable(uint8_t *to, const uint8_t *from, long count) {
    long place = 0;
    for (; place < count; place++) {
        uint8_t byte = from[place];
        if (byte < ' ' || byte == '"' || byte == '\\') break;
        to[place] = byte;
    }
    return place;
}

/// Copies fewer than 16 bytes in two parts, which may overlap, and returns them in 16 bytes of which
/// some are repeated.
#define C_SCAN_PARTS(type) \
    type first, last; \
    __builtin_memcpy(&first, from, sizeof(type)); \
    __builtin_memcpy(&last, from + count - sizeof(type), sizeof(type)); \
    __builtin_memcpy(to, &first, sizeof(type)); \
    __builtin_memcpy(to + count - sizeof(type), &last, sizeof(type))

#if defined(__SSE2__)

#include <emmintrin.h>

C_SCAN __m128i c_scan_load(const uint8_t *bytes) {
    return _mm_loadu_si128((const __m128i *)bytes);
}

C_SCAN int c_scan_spaces(const uint8_t *bytes) {
    __m128i spaces = _mm_cmpeq_epi8(c_scan_load(bytes), _mm_set1_epi8(' '));
    return __builtin_ctz(~(uint32_t)_mm_movemask_epi8(spaces));
}

C_SCAN int c_scan_text(const uint8_t *bytes) {
    __m128i block = c_scan_load(bytes);
    __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i escapes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    __m128i ends = _mm_or_si128(_mm_or_si128(quotes, escapes), controls);
    uint32_t stops = (uint32_t)_mm_movemask_epi8(ends) | 0x10000;
    uint32_t before = ~stops & (stops - 1);
    bool isASCII = ((uint32_t)_mm_movemask_epi8(block) & before) == 0;
    return __builtin_ctz(stops) | (isASCII ? 0 : 32);
}

C_SCAN bool c_scan_is_equal(const uint8_t *one, const uint8_t *other, int count) {
    __m128i equal = _mm_cmpeq_epi8(c_scan_load(one), c_scan_load(other));
    uint32_t wanted = (1u << count) - 1;
    return ((uint32_t)_mm_movemask_epi8(equal) & wanted) == wanted;
}

/// A bit for each quote, backslash and control character.
C_SCAN uint32_t c_scan_escapes(__m128i block) {
    __m128i quotes = _mm_cmpeq_epi8(block, _mm_set1_epi8('"'));
    __m128i escapes = _mm_cmpeq_epi8(block, _mm_set1_epi8('\\'));
    __m128i controls = _mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(0x1F)), block);
    return (uint32_t)_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(quotes, escapes), controls));
}

C_SCAN long c_scan_copy(uint8_t *to, const uint8_t *from, long count) {
    if (count >= 16) {
        long place = 0;
        while (true) {
            __m128i block = c_scan_load(from + place);
            _mm_storeu_si128((__m128i *)(to + place), block);
            uint32_t stops = c_scan_escapes(block);
            if (stops) return place + __builtin_ctz(stops);
            place += 16;
            if (place == count) return count;
            // The last block begins with bytes that were copied.
            if (place + 16 > count) place = count - 16;
        }
    }
    __m128i block;
    if (count >= 8) {
        C_SCAN_PARTS(uint64_t);
        block = _mm_set_epi64x((int64_t)last, (int64_t)first);
    } else if (count >= 4) {
        C_SCAN_PARTS(uint32_t);
        block = _mm_set1_epi64x((int64_t)((uint64_t)last << 32 | first));
    } else if (count > 0) {
        uint8_t first = from[0], middle = from[count >> 1], last = from[count - 1];
        to[0] = first;
        to[count >> 1] = middle;
        to[count - 1] = last;
        block = _mm_set1_epi32((int)((uint32_t)last << 24 | middle << 16 | first << 8 | first));
    } else {
        return 0;
    }
    return c_scan_escapes(block) ? c_scan_copy_portable(to, from, count) : count;
}

#elif defined(__ARM_NEON) && defined(__aarch64__)

#include <arm_neon.h>

/// Four bits for each byte of a comparison.
C_SCAN uint64_t c_scan_bits(uint8x16_t comparison) {
    uint8x8_t halves = vshrn_n_u16(vreinterpretq_u16_u8(comparison), 4);
    return vget_lane_u64(vreinterpret_u64_u8(halves), 0);
}

C_SCAN int c_scan_first(uint64_t bits) { return bits ? __builtin_ctzll(bits) >> 2 : 16; }

C_SCAN int c_scan_spaces(const uint8_t *bytes) {
    return c_scan_first(~c_scan_bits(vceqq_u8(vld1q_u8(bytes), vdupq_n_u8(' '))));
}

C_SCAN int c_scan_text(const uint8_t *bytes) {
    uint8x16_t block = vld1q_u8(bytes);
    uint8x16_t quotes = vceqq_u8(block, vdupq_n_u8('"'));
    uint8x16_t escapes = vceqq_u8(block, vdupq_n_u8('\\'));
    uint8x16_t controls = vcltq_u8(block, vdupq_n_u8(' '));
    uint64_t stops = c_scan_bits(vorrq_u8(vorrq_u8(quotes, escapes), controls));
    uint64_t before = ~stops & (stops - 1);
    bool isASCII = (c_scan_bits(vcgeq_u8(block, vdupq_n_u8(0x80))) & before) == 0;
    return c_scan_first(stops) | (isASCII ? 0 : 32);
}

C_SCAN bool c_scan_is_equal(const uint8_t *one, const uint8_t *other, int count) {
    return c_scan_first(~c_scan_bits(vceqq_u8(vld1q_u8(one), vld1q_u8(other)))) >= count;
}

/// Four bits for each quote, backslash and control character.
C_SCAN uint64_t c_scan_escapes(uint8x16_t block) {
    uint8x16_t quotes = vceqq_u8(block, vdupq_n_u8('"'));
    uint8x16_t escapes = vceqq_u8(block, vdupq_n_u8('\\'));
    uint8x16_t controls = vcltq_u8(block, vdupq_n_u8(' '));
    return c_scan_bits(vorrq_u8(vorrq_u8(quotes, escapes), controls));
}

C_SCAN long c_scan_copy(uint8_t *to, const uint8_t *from, long count) {
    if (count >= 16) {
        long place = 0;
        while (true) {
            uint8x16_t block = vld1q_u8(from + place);
            vst1q_u8(to + place, block);
            uint64_t stops = c_scan_escapes(block);
            if (stops) return place + c_scan_first(stops);
            place += 16;
            if (place == count) return count;
            // The last block begins with bytes that were copied.
            if (place + 16 > count) place = count - 16;
        }
    }
    if (count < 8) return c_scan_copy_portable(to, from, count);
    C_SCAN_PARTS(uint64_t);
    uint8x16_t block = vreinterpretq_u8_u64(vcombine_u64(vcreate_u64(first), vcreate_u64(last)));
    return c_scan_escapes(block) ? c_scan_copy_portable(to, from, count) : count;
}

#else

C_SCAN long c_scan_copy(uint8_t *to, const uint8_t *from, long count) {
    return c_scan_copy_portable(to, from, count);
}

C_SCAN int c_scan_spaces(const uint8_t *bytes) { return c_scan_spaces_portable(bytes); }

C_SCAN int c_scan_text(const uint8_t *bytes) { return c_scan_text_portable(bytes); }

C_SCAN bool c_scan_is_equal(const uint8_t *one, const uint8_t *other, int count) {
    return c_scan_is_equal_portable(one, other, count);
}

#endif

// Words that threads use at the same time. A load sees what was written before the store of what it
// loads.

C_SCAN uint64_t c_atomic_load(const uint64_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

C_SCAN void c_atomic_store(uint64_t *word, uint64_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// Replaces zero; false if the word is not zero.
C_SCAN bool c_atomic_fill(uint64_t *word, uint64_t value) {
    uint64_t zero = 0;
    return __atomic_compare_exchange_n(
        word, &zero, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/// Adds one, and returns the sum.
C_SCAN uint64_t c_atomic_increment(uint64_t *word) {
    return __atomic_add_fetch(word, 1, __ATOMIC_ACQ_REL);
}

#undef C_SCAN
#undef C_SCAN_PARTS

#endif
