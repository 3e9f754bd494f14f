// What the targets use of Darwin's C library, with the types of Apple's headers, by header. Their pages:
// https://developer.apple.com/library/archive/documentation/System/Conceptual/ManPages_iPhoneOS/
// None of it is newer than the systems that the package declares.
#pragma once

// <stddef.h>, <stdint.h>, <sys/types.h>: `long` and pointers have 32 bits on arm64_32.
typedef long ssize_t, intptr_t, time_t;
typedef unsigned long size_t, uintptr_t;
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t, pid_t, dev_t, blksize_t, suseconds_t;
typedef long long int64_t, off_t, blkcnt_t;
typedef unsigned char uint8_t, u_int8_t, sa_family_t;
typedef unsigned short uint16_t, mode_t, nlink_t, in_port_t;
typedef unsigned int uint32_t, uid_t, gid_t, socklen_t, in_addr_t, nfds_t;
typedef unsigned long long uint64_t, ino_t;
#define NULL ((void *)0)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U

// <errno.h>: the variable is a macro over this function, and Swift sees the overlay's.
int *__error(void);
#define EPERM 1
#define ENOENT 2
#define ESRCH 3
#define EINTR 4
#define EIO 5
#define ENXIO 6
#define ENOMEM 12
#define EACCES 13
#define EEXIST 17
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EPIPE 32
#define EAGAIN 35
#define EWOULDBLOCK EAGAIN
#define EINPROGRESS 36
#define ENOTSUP 45
#define EADDRINUSE 48
#define EADDRNOTAVAIL 49
#define ENETDOWN 50
#define ENETUNREACH 51
#define ECONNABORTED 53
#define ECONNRESET 54
#define ENOBUFS 55
#define ENOTCONN 57
#define ETIMEDOUT 60
#define ECONNREFUSED 61
#define ELOOP 62
#define ENAMETOOLONG 63
#define EHOSTUNREACH 65
#define EDQUOT 69
#define EOPNOTSUPP 102

// <string.h>, <stdlib.h>, <stdio.h>
char *strerror(int);
unsigned long strlen(const char *);
void *memcpy(void *, const void *, size_t);
void *memmove(void *, const void *, size_t);
void *memset(void *, int, size_t);
void *malloc(size_t);
void free(void *);
_Noreturn void exit(int);
char *getenv(const char *);
int setenv(const char *, const char *, int);
int unsetenv(const char *);
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
#define EX_USAGE 64
typedef struct __sFILE FILE;
struct __sFILE { int _file; };
extern FILE *__stdinp, *__stdoutp, *__stderrp;
int putc(int, FILE *);
int rename(const char *, const char *);
int remove(const char *);

// <math.h>
double pow(double, double), floor(double), ceil(double), round(double), sqrt(double);
double exp(double), log(double), log10(double), fabs(double);

// <time.h>, <sys/time.h>
struct timespec { time_t tv_sec; long tv_nsec; };
struct timeval { time_t tv_sec; suseconds_t tv_usec; };
time_t time(time_t *);
int utimes(const char *, const struct timeval *);

// <fcntl.h>: `open` and `fcntl` take any number of arguments, and Swift sees the overlay's.
int open(const char *, int, ...);
int fcntl(int, int, ...);
#define O_RDONLY 0x0000
#define O_WRONLY 0x0001
#define O_RDWR 0x0002
#define O_NONBLOCK 0x00000004
#define O_NOFOLLOW 0x00000100
#define O_CREAT 0x00000200
#define O_EXCL 0x00000800
#define O_DIRECTORY 0x00100000
#define O_CLOEXEC 0x01000000
#define F_SETFD 2
#define F_SETFL 4
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85
#define FD_CLOEXEC 1
int flock(int, int);
#define LOCK_EX 0x02
#define LOCK_NB 0x04
#define LOCK_UN 0x08

// <unistd.h>
int close(int);
ssize_t read(int, void *, size_t);
ssize_t write(int, const void *, size_t);
ssize_t pread(int, void *, size_t, off_t);
ssize_t pwrite(int, const void *, size_t, off_t);
int link(const char *, const char *);
int unlink(const char *);
int rmdir(const char *);
int access(const char *, int);
int fsync(int);
int ftruncate(int, off_t);
int truncate(const char *, off_t);
int pipe(int[2]);
int isatty(int);
pid_t getpid(void);
uid_t geteuid(void);
_Noreturn void _exit(int);
#define R_OK 4
#define STDOUT_FILENO 1
#define STDERR_FILENO 2

// <sys/stat.h>
struct stat {
    dev_t st_dev; mode_t st_mode; nlink_t st_nlink; ino_t st_ino; uid_t st_uid; gid_t st_gid;
    dev_t st_rdev;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec, st_birthtimespec;
    off_t st_size; blkcnt_t st_blocks; blksize_t st_blksize;
    uint32_t st_flags, st_gen; int32_t st_lspare; int64_t st_qspare[2];
};
int stat(const char *, struct stat *);
int lstat(const char *, struct stat *);
int fstat(int, struct stat *);
int mkdir(const char *, mode_t);
int chmod(const char *, mode_t);
int fchmod(int, mode_t);
mode_t umask(mode_t);

// <sys/socket.h>, <netinet/in.h>, <netinet/tcp.h>, <netdb.h>, <poll.h>
struct sockaddr { uint8_t sa_len; sa_family_t sa_family; char sa_data[14]; };
struct in_addr { in_addr_t s_addr; };
struct sockaddr_in {
    uint8_t sin_len; sa_family_t sin_family; in_port_t sin_port; struct in_addr sin_addr;
    char sin_zero[8];
};
struct in6_addr { union { uint8_t __u6_addr8[16]; uint32_t __u6_addr32[4]; } __u6_addr; };
struct sockaddr_in6 {
    uint8_t sin6_len; sa_family_t sin6_family; in_port_t sin6_port; uint32_t sin6_flowinfo;
    struct in6_addr sin6_addr; uint32_t sin6_scope_id;
};
struct addrinfo {
    int ai_flags, ai_family, ai_socktype, ai_protocol; socklen_t ai_addrlen;
    char *ai_canonname; struct sockaddr *ai_addr; struct addrinfo *ai_next;
};
struct linger { int l_onoff, l_linger; };
struct pollfd { int fd; short events, revents; };
#define AF_INET 2
#define AF_INET6 30
#define SOCK_STREAM 1
#define SOL_SOCKET 0xffff
#define SO_REUSEADDR 0x0004
#define SO_LINGER 0x0080
#define SO_ERROR 0x1007
#define SO_SNDTIMEO 0x1005
#define SO_RCVTIMEO 0x1006
#define SO_NOSIGPIPE 0x1022
#define MSG_PEEK 0x2
#define MSG_DONTWAIT 0x80
#define SHUT_WR 1
#define SHUT_RDWR 2
#define IPPROTO_TCP 6
#define TCP_NODELAY 0x01
#define POLLIN 0x0001
#define POLLOUT 0x0004
int socket(int, int, int);
int bind(int, const struct sockaddr *, socklen_t);
int listen(int, int);
int accept(int, struct sockaddr *, socklen_t *);
int connect(int, const struct sockaddr *, socklen_t);
ssize_t send(int, const void *, size_t, int);
ssize_t recv(int, void *, size_t, int);
int shutdown(int, int);
int setsockopt(int, int, int, const void *, socklen_t);
int getsockopt(int, int, int, void *, socklen_t *);
int inet_pton(int, const char *, void *);
int getsockname(int, struct sockaddr *, socklen_t *);
int getaddrinfo(const char *, const char *, const struct addrinfo *, struct addrinfo **);
void freeaddrinfo(struct addrinfo *);
int poll(struct pollfd *, nfds_t, int);

// <ifaddrs.h>, <net/if.h>
struct ifaddrs {
    struct ifaddrs *ifa_next; char *ifa_name; unsigned int ifa_flags;
    struct sockaddr *ifa_addr, *ifa_netmask, *ifa_dstaddr; void *ifa_data;
};
#define IFF_UP 0x1
#define IFF_LOOPBACK 0x8
int getifaddrs(struct ifaddrs **);
void freeifaddrs(struct ifaddrs *);

// <os/lock.h>, https://developer.apple.com/documentation/os/os_unfair_lock
typedef struct os_unfair_lock_s { uint32_t _os_unfair_lock_opaque; } os_unfair_lock;
#pragma clang assume_nonnull begin
void os_unfair_lock_lock(os_unfair_lock *);
void os_unfair_lock_unlock(os_unfair_lock *);
#pragma clang assume_nonnull end

// <pthread.h>, <sched.h>, <dlfcn.h>
#pragma clang assume_nonnull begin
typedef struct _opaque_pthread_t *pthread_t;
typedef unsigned long pthread_key_t;
pthread_t pthread_self(void);
int pthread_key_create(pthread_key_t *, void (*_Nullable)(void *));
void *_Nullable pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *_Nullable);
void *pthread_get_stackaddr_np(pthread_t);
size_t pthread_get_stacksize_np(pthread_t);
#pragma clang assume_nonnull end
int sched_yield(void);
void *dlsym(void *, const char *);

// <signal.h>
#define SIGINT 2
#define SIGPIPE 13
#define SIGTERM 15
#define SIGXFSZ 25
int kill(pid_t, int);
