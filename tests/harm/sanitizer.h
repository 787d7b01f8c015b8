/* sanitizer.h - which sanitizer this was built with: some make a case impossible, all make it slow. */
#ifndef OPLI_TESTS_SANITIZER_H
#define OPLI_TESTS_SANITIZER_H

#if defined(__SANITIZE_THREAD__)
#define HARM_TSAN 1
#elif defined(__SANITIZE_ADDRESS__)
#define HARM_ASAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HARM_TSAN 1
#elif __has_feature(address_sanitizer)
#define HARM_ASAN 1
#endif
#endif

#ifndef HARM_TSAN
#define HARM_TSAN 0
#endif
#ifndef HARM_ASAN
#define HARM_ASAN 0
#endif

/* The number that a plain build uses, and a smaller one that is enough for a slow build. */
#define HARM_COUNT(plain, slow) (HARM_TSAN || HARM_ASAN ? (slow) : (plain))

#endif
