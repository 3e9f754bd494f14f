// <objc/NSObject.h>, <objc/runtime.h>
#pragma once
#pragma clang assume_nonnull begin

typedef struct objc_class *Class;
typedef struct objc_object { Class isa; } *id;
typedef struct objc_selector *SEL;
typedef _Bool BOOL;
#define YES ((BOOL)1)
#define NO ((BOOL)0)
typedef long NSInteger;
typedef unsigned long NSUInteger;

@protocol NSObject
- (BOOL)isEqual:(nullable id)object;
@property (readonly) NSUInteger hash;
- (BOOL)respondsToSelector:(SEL)selector;
@end

__attribute__((objc_root_class))
@interface NSObject <NSObject> { Class isa; }
- (instancetype)init __attribute__((objc_designated_initializer));
@end

// https://developer.apple.com/documentation/objectivec/objc_associationpolicy
typedef enum objc_AssociationPolicy : unsigned long objc_AssociationPolicy;
enum __attribute__((enum_extensibility(closed))) objc_AssociationPolicy : unsigned long {
    OBJC_ASSOCIATION_ASSIGN = 0,
    OBJC_ASSOCIATION_RETAIN_NONATOMIC = 1,
    OBJC_ASSOCIATION_COPY_NONATOMIC = 3,
    OBJC_ASSOCIATION_RETAIN = 01401,
    OBJC_ASSOCIATION_COPY = 01403,
};
void objc_setAssociatedObject(
    id object, const void *key, id _Nullable value, objc_AssociationPolicy policy);
id _Nullable objc_getAssociatedObject(id object, const void *key);

#pragma clang assume_nonnull end
