// The classes and protocols that Apple declares in Objective-C and whose exact form matters: the
// delegates of a session, which the compiler compares with methods that nearly match, what is bridged
// to Swift's types, and `Operation`, which is subclassed. The rest is in the Swift interface.
// https://developer.apple.com/documentation/foundation/url-loading-system
#pragma once
#include "ObjectiveC.h"
#include "CoreFoundation.h"

#define SENDABLE __attribute__((swift_attr("@Sendable")))
#define NAME(n) __attribute__((swift_name(#n)))
#define BRIDGE(T) __attribute__((swift_bridge(#T)))
#define ENUM(type, name) \
    enum __attribute__((enum_extensibility(open))) name : type name; enum name : type
#pragma clang assume_nonnull begin

@class NSURLSession, NSURLSessionTask, NSURLSessionTaskMetrics;
@protocol NSCopying
- (id)copyWithZone:(nullable void *)zone;
@end

// MARK: Bridged to Swift's types

BRIDGE(Swift.String) SENDABLE @interface NSString : NSObject <NSCopying>
@end
BRIDGE(Swift.Array) @interface NSArray<__covariant Element> : NSObject <NSCopying>
@end
BRIDGE(Swift.Dictionary) @interface NSDictionary<__covariant Key, __covariant Value>
    : NSObject <NSCopying>
@end
BRIDGE(Data) @interface NSData : NSObject <NSCopying>
@end
BRIDGE(Date) SENDABLE @interface NSDate : NSObject <NSCopying>
@end
BRIDGE(UUID) SENDABLE @interface NSUUID : NSObject <NSCopying>
@end
BRIDGE(URL) SENDABLE @interface NSURL : NSObject <NSCopying>
@end
BRIDGE(Decimal) SENDABLE @interface NSDecimalNumber : NSObject <NSCopying>
@end
SENDABLE @interface NSNumber : NSObject <NSCopying>
@property (readonly) NSInteger integerValue NAME(intValue);
@end
BRIDGE(Swift.Error) SENDABLE @interface NSError : NSObject <NSCopying>
@property (readonly, copy) NSString *domain;
@property (readonly) NSInteger code;
@property (readonly, copy) NSDictionary<NSString *, id> *userInfo;
@property (readonly, copy) NSString *localizedDescription;
@end
extern NSString *const NSLocalizedDescriptionKey;
extern NSString *const NSUnderlyingErrorKey;
extern NSString *const NSURLErrorDomain;
extern NSString *const NSPOSIXErrorDomain;
extern NSString *const NSCocoaErrorDomain;

// MARK: <Foundation/NSKeyValueObserving.h>, <Foundation/NSOperation.h>

@interface NSObject (NSKeyValueObserverNotification)
- (void)willChangeValueForKey:(NSString *)key;
- (void)didChangeValueForKey:(NSString *)key;
@end

typedef ENUM(NSInteger, NSOperationQueuePriority) {
    NSOperationQueuePriorityVeryLow = -8, NSOperationQueuePriorityLow = -4,
    NSOperationQueuePriorityNormal = 0, NSOperationQueuePriorityHigh = 4,
    NSOperationQueuePriorityVeryHigh = 8,
} NAME(Operation.QueuePriority);

SENDABLE NAME(Operation) @interface NSOperation : NSObject
- (void)start;
- (void)main;
- (void)cancel;
@property (readonly, getter=isCancelled) BOOL cancelled;
@property (readonly, getter=isExecuting) BOOL executing;
@property (readonly, getter=isFinished) BOOL finished;
@property (readonly, getter=isAsynchronous) BOOL asynchronous;
@property (readonly, getter=isReady) BOOL ready;
@property NSOperationQueuePriority queuePriority;
@property (nullable, copy) void (SENDABLE ^completionBlock)(void);
@property (nullable, copy) NSString *name;
@end

SENDABLE NAME(BlockOperation) @interface NSBlockOperation : NSOperation
+ (instancetype)blockOperationWithBlock:(void (SENDABLE ^)(void))block NAME(init(block:));
@end
SENDABLE NAME(OperationQueue) @interface NSOperationQueue : NSObject
- (void)addOperation:(NSOperation *)op NAME(addOperation(_:));
- (void)addOperationWithBlock:(void (SENDABLE ^)(void))block NAME(addOperation(_:));
@property NSInteger maxConcurrentOperationCount;
@property (getter=isSuspended) BOOL suspended;
@property (nullable, copy) NSString *name;
@end

// MARK: <Foundation/NSStream.h>, <Foundation/NSURLRequest.h>, <Foundation/NSURLResponse.h>

NAME(Stream) @interface NSStream : NSObject
- (void)open;
- (void)close;
@end
NAME(InputStream) @interface NSInputStream : NSStream
- (instancetype)initWithData:(NSData *)data __attribute__((objc_designated_initializer));
- (nullable instancetype)initWithURL:(NSURL *)url __attribute__((objc_designated_initializer));
@end

typedef ENUM(NSUInteger, NSURLRequestCachePolicy) {
    NSURLRequestUseProtocolCachePolicy = 0, NSURLRequestReloadIgnoringLocalCacheData = 1,
} NAME(NSURLRequest.CachePolicy);
BRIDGE(URLRequest) SENDABLE @interface NSURLRequest : NSObject <NSCopying>
@end
SENDABLE NAME(URLResponse) @interface NSURLResponse : NSObject <NSCopying>
@property (nullable, readonly, copy) NSURL *URL NAME(url);
@property (readonly) long long expectedContentLength;
@end
SENDABLE NAME(HTTPURLResponse) @interface NSHTTPURLResponse : NSURLResponse
- (nullable instancetype)initWithURL:(NSURL *)url statusCode:(NSInteger)statusCode
                         HTTPVersion:(nullable NSString *)version
                        headerFields:(nullable NSDictionary<NSString *, NSString *> *)fields
    NAME(init(url:statusCode:httpVersion:headerFields:));
@property (readonly) NSInteger statusCode;
@property (readonly, copy) NSDictionary *allHeaderFields;
- (nullable NSString *)valueForHTTPHeaderField:(NSString *)field NAME(value(forHTTPHeaderField:));
@end

// MARK: <Foundation/NSURLCredential.h>, <Foundation/NSURLAuthenticationChallenge.h>

SENDABLE NAME(URLCredential) @interface NSURLCredential : NSObject <NSCopying>
@end
SENDABLE NAME(URLProtectionSpace) @interface NSURLProtectionSpace : NSObject <NSCopying>
@property (readonly, copy) NSString *authenticationMethod;
@property (readonly, copy) NSString *host;
@end
extern NSString *const NSURLAuthenticationMethodServerTrust;
extern NSString *const NSURLAuthenticationMethodClientCertificate;
SENDABLE NAME(URLAuthenticationChallenge) @interface NSURLAuthenticationChallenge : NSObject
@property (readonly, copy) NSURLProtectionSpace *protectionSpace;
@property (nullable, readonly, copy) NSURLResponse *failureResponse;
@property (readonly) NSInteger previousFailureCount;
@end

// MARK: <Foundation/NSURLSession.h>

SENDABLE NAME(URLCache) @interface NSURLCache : NSObject
@end
SENDABLE NAME(HTTPCookieStorage) @interface NSHTTPCookieStorage : NSObject
@end
SENDABLE NAME(URLCredentialStorage) @interface NSURLCredentialStorage : NSObject
@end
typedef ENUM(NSUInteger, NSHTTPCookieAcceptPolicy) {
    NSHTTPCookieAcceptPolicyAlways, NSHTTPCookieAcceptPolicyNever,
    NSHTTPCookieAcceptPolicyOnlyFromMainDocumentDomain,
} NAME(HTTPCookie.AcceptPolicy);
SENDABLE NAME(HTTPCookie) @interface NSHTTPCookie : NSObject
@end

SENDABLE NAME(URLSessionConfiguration) @interface NSURLSessionConfiguration : NSObject <NSCopying>
@property (class, readonly, strong) NSURLSessionConfiguration *defaultSessionConfiguration
    NAME(default);
@property (class, readonly, strong) NSURLSessionConfiguration *ephemeralSessionConfiguration
    NAME(ephemeral);
+ (NSURLSessionConfiguration *)backgroundSessionConfigurationWithIdentifier:(NSString *)identifier
    NAME(background(withIdentifier:));
@property (nullable, readonly, copy) NSString *identifier;
@property double timeoutIntervalForRequest;
@property double timeoutIntervalForResource;
@property BOOL waitsForConnectivity;
@property (nullable, copy) NSString *sharedContainerIdentifier;
@property NSInteger HTTPMaximumConnectionsPerHost NAME(httpMaximumConnectionsPerHost);
@property BOOL HTTPShouldSetCookies NAME(httpShouldSetCookies);
@property NSHTTPCookieAcceptPolicy HTTPCookieAcceptPolicy NAME(httpCookieAcceptPolicy);
@property (nullable, retain) NSHTTPCookieStorage *HTTPCookieStorage NAME(httpCookieStorage);
@property (nullable, retain) NSURLCredentialStorage *URLCredentialStorage
    NAME(urlCredentialStorage);
@property (nullable, retain) NSURLCache *URLCache NAME(urlCache);
@property (nullable, copy) NSDictionary *HTTPAdditionalHeaders NAME(httpAdditionalHeaders);
@end

SENDABLE NAME(URLSessionTask) @interface NSURLSessionTask : NSObject <NSCopying>
@property (readonly) NSUInteger taskIdentifier;
@property (nullable, readonly, copy) NSURLRequest *originalRequest;
@property (nullable, readonly, copy) NSURLRequest *currentRequest;
@property (nullable, readonly, copy) NSURLResponse *response;
@property (readonly) int64_t countOfBytesReceived;
@property (readonly) int64_t countOfBytesSent;
@property (readonly) int64_t countOfBytesExpectedToReceive;
@property (nullable, copy) NSString *taskDescription;
@property (nullable, readonly, copy) NSError *error;
@property float priority;
- (void)cancel;
- (void)suspend;
- (void)resume;
@end
SENDABLE NAME(URLSessionDataTask) @interface NSURLSessionDataTask : NSURLSessionTask
@end
SENDABLE NAME(URLSessionUploadTask) @interface NSURLSessionUploadTask : NSURLSessionDataTask
@end
SENDABLE NAME(URLSessionDownloadTask) @interface NSURLSessionDownloadTask : NSURLSessionTask
@end

typedef ENUM(NSInteger, NSURLSessionAuthChallengeDisposition) {
    NSURLSessionAuthChallengeUseCredential, NSURLSessionAuthChallengePerformDefaultHandling,
    NSURLSessionAuthChallengeCancelAuthenticationChallenge,
    NSURLSessionAuthChallengeRejectProtectionSpace,
} NAME(URLSession.AuthChallengeDisposition);
typedef ENUM(NSInteger, NSURLSessionResponseDisposition) {
    NSURLSessionResponseCancel, NSURLSessionResponseAllow,
    NSURLSessionResponseBecomeDownload, NSURLSessionResponseBecomeStream,
} NAME(URLSession.ResponseDisposition);
typedef void (SENDABLE ^ChallengeHandler)(
    NSURLSessionAuthChallengeDisposition disposition, NSURLCredential *_Nullable credential);

SENDABLE NAME(URLSessionDelegate) @protocol NSURLSessionDelegate <NSObject>
@optional
- (void)URLSession:(NSURLSession *)session
    didBecomeInvalidWithError:(nullable NSError *)error;
- (void)URLSession:(NSURLSession *)session
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(ChallengeHandler)completionHandler;
// https://developer.apple.com/documentation/foundation/urlsessiondelegate/urlsessiondidfinishevents(forbackgroundurlsession:)
- (void)URLSessionDidFinishEventsForBackgroundURLSession:(NSURLSession *)session
    __attribute__((availability(macos, introduced = 11.0)));
@end

SENDABLE NAME(URLSessionTaskDelegate) @protocol NSURLSessionTaskDelegate <NSURLSessionDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
    taskIsWaitingForConnectivity:(NSURLSessionTask *)task;
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    willPerformHTTPRedirection:(NSHTTPURLResponse *)response
                    newRequest:(NSURLRequest *)request
             completionHandler:(void (SENDABLE ^)(NSURLRequest *_Nullable))completionHandler;
- (void)URLSession:(NSURLSession *)session
                   task:(NSURLSessionTask *)task
    didReceiveChallenge:(NSURLAuthenticationChallenge *)challenge
      completionHandler:(ChallengeHandler)completionHandler;
- (void)URLSession:(NSURLSession *)session
                 task:(NSURLSessionTask *)task
    needNewBodyStream:(void (SENDABLE ^)(NSInputStream *_Nullable bodyStream))completionHandler;
- (void)URLSession:(NSURLSession *)session
                        task:(NSURLSessionTask *)task
             didSendBodyData:(int64_t)bytesSent
              totalBytesSent:(int64_t)totalBytesSent
    totalBytesExpectedToSend:(int64_t)totalBytesExpectedToSend;
- (void)URLSession:(NSURLSession *)session
                          task:(NSURLSessionTask *)task
    didFinishCollectingMetrics:(NSURLSessionTaskMetrics *)metrics;
- (void)URLSession:(NSURLSession *)session
                    task:(NSURLSessionTask *)task
    didCompleteWithError:(nullable NSError *)error;
@end

SENDABLE NAME(URLSessionDataDelegate) @protocol NSURLSessionDataDelegate <NSURLSessionTaskDelegate>
@optional
- (void)URLSession:(NSURLSession *)session
              dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveResponse:(NSURLResponse *)response
     completionHandler:
         (void (SENDABLE ^)(NSURLSessionResponseDisposition disposition))completionHandler;
- (void)URLSession:(NSURLSession *)session
          dataTask:(NSURLSessionDataTask *)dataTask
    didReceiveData:(NSData *)data;
@end

SENDABLE NAME(URLSessionDownloadDelegate)
@protocol NSURLSessionDownloadDelegate <NSURLSessionTaskDelegate>
- (void)URLSession:(NSURLSession *)session
                 downloadTask:(NSURLSessionDownloadTask *)downloadTask
    didFinishDownloadingToURL:(NSURL *)location;
@optional
- (void)URLSession:(NSURLSession *)session
                 downloadTask:(NSURLSessionDownloadTask *)downloadTask
                 didWriteData:(int64_t)bytesWritten
            totalBytesWritten:(int64_t)totalBytesWritten
    totalBytesExpectedToWrite:(int64_t)totalBytesExpectedToWrite;
@end

SENDABLE NAME(URLSession) @interface NSURLSession : NSObject
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
    NAME(init(configuration:));
+ (NSURLSession *)sessionWithConfiguration:(NSURLSessionConfiguration *)configuration
                                  delegate:(nullable id<NSURLSessionDelegate>)delegate
                             delegateQueue:(nullable NSOperationQueue *)queue
    NAME(init(configuration:delegate:delegateQueue:));
@property (readonly, retain) NSOperationQueue *delegateQueue;
@property (readonly, copy) NSURLSessionConfiguration *configuration;
- (void)finishTasksAndInvalidate;
- (void)invalidateAndCancel;
- (void)getAllTasksWithCompletionHandler:
    (void (SENDABLE ^)(NSArray<__kindof NSURLSessionTask *> *tasks))completionHandler
    __attribute__((swift_async_name("getter:allTasks()")));
- (NSURLSessionDataTask *)dataTaskWithRequest:(NSURLRequest *)request NAME(dataTask(with:));
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request
                                         fromFile:(NSURL *)file NAME(uploadTask(with:fromFile:));
- (NSURLSessionUploadTask *)uploadTaskWithRequest:(NSURLRequest *)request
                                         fromData:(NSData *)data NAME(uploadTask(with:from:));
- (NSURLSessionUploadTask *)uploadTaskWithStreamedRequest:(NSURLRequest *)request
    NAME(uploadTask(withStreamedRequest:));
- (NSURLSessionDownloadTask *)downloadTaskWithRequest:(NSURLRequest *)request
    NAME(downloadTask(with:));
@end
#pragma clang assume_nonnull end
