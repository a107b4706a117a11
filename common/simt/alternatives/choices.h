/*
 * choices.h: what does an expression become that can be changed in a run?
 *
 * simt_alternatives (alternatives.h) writes calls of these into a copy of a
 * lab. Each change has a number, from 1; lab_change is the one that this run
 * makes, and lab_change_too, 0 for none. An expression that is not changed has
 * its value and type.
 */
#ifndef SIMT_CHOICES_H
#define SIMT_CHOICES_H

#include <type_traits>

extern "C" {
extern const int lab_change, lab_change_too; /* const: no access of a lab's */
/* Numbers that may stand in the place of another, or beside it; 0 is the last.
   Written behind the copy, with its macros. */
extern const long simt_numbers[SIMT_NUMBERS];
}

/* A change that is not made costs a comparison; what is made is worked out
   behind the back of what records accesses, which are the lab's own. */
#define SIMT_MEMBER  constexpr __attribute__((always_inline))
#define SIMT_CHOICE  static inline __attribute__((always_inline))
#define SIMT_CHANGED static __attribute__((noinline, no_sanitize("thread")))

/* Which of `count` changes from `first` on is made; negative or more: none. */
#define SIMT_MADE(first, count)                                 \
    ((unsigned)(lab_change - (first)) < (unsigned)(count)       \
         ? lab_change - (first)                                 \
     : (unsigned)(lab_change_too - (first)) < (unsigned)(count) \
         ? lab_change_too - (first)                             \
         : -1)

SIMT_CHOICE int simt_made(int first, int count)
{
    return SIMT_MADE(first, count);
}

template <class T, class U> SIMT_CHOICE T simt_as(T here, U other)
{
    if constexpr (std::is_arithmetic<T>::value && std::is_arithmetic<U>::value)
        return (T)other;
    else if constexpr (std::is_pointer<T>::value &&
                       std::is_convertible<U, T>::value)
        return other;
    else
        return here;
}

template <class T, class... U>
SIMT_CHANGED T simt_picked(int made, T here, U... others)
{
    int at = 0;
    T value = here;

    ((at++ == made ? (void)(value = simt_as(here, others)) : (void)0), ...);
    return value;
}

/* One of the others in its place, or a number. */
template <class T, class... U>
SIMT_CHANGED T simt_picked_too(int made, T here, U... others)
{
    return made < (int)sizeof...(U)
               ? simt_picked(made, here, others...)
               : simt_as(here, simt_numbers[made - (int)sizeof...(U)]);
}

template <class T, class... U>
SIMT_CHOICE T simt_pick(int first, T here, U... others)
{
    const int made = SIMT_MADE(first, (int)sizeof...(U) + SIMT_NUMBERS);

    return made < 0 ? here : simt_picked_too(made, here, others...);
}

/* Another float, or float4. */
template <class T, class U>
SIMT_CHOICE T &simt_pick_value(int change, T &here, U &other)
{
    if constexpr (std::is_same<T, U>::value)
        return SIMT_MADE(change, 1) == 0 ? other : here;
    else
        return here;
}

/* Of two indices side by side the other. */
template <class T, class U> SIMT_CHOICE T simt_swap(int change, T here, U other)
{
    return SIMT_MADE(change, 1) == 0 ? simt_as(here, other) : here;
}

/* Another array of its shape, or another pointer. */
template <class T, class U>
SIMT_CHOICE T *simt_pick_array(int change, T *here, U *other)
{
    if constexpr (std::is_convertible<U *, T *>::value)
        return SIMT_MADE(change, 1) == 0 ? other : here;
    else
        return here;
}

/* An array that stands before an index, with its bound: a change that leads out
   of a thread's own array would spoil what nobody looks at. */
template <class T> struct simt_elements {
    T *at;
    unsigned long count; /* of a pointer it is not known: ~0 */

    __attribute__((always_inline)) T &operator[](long index) const
    {
        if ((unsigned long)index >= count)
            __builtin_trap();
        return at[index];
    }
};

template <class T>
SIMT_CHOICE simt_elements<T> simt_elements_of(simt_elements<T> here)
{
    return here;
}

template <class T> SIMT_CHOICE auto simt_elements_of(T &&here)
{
    using array = typename std::remove_reference<T>::type;
    using type = typename std::remove_reference<decltype(here[0])>::type;

    return simt_elements<type>{
        here, std::extent<array>::value > 0 ? std::extent<array>::value : ~0ul};
}

/* simt_pick_array of one that stands before an index. */
template <class T, class U>
SIMT_CHOICE auto simt_pick_element(int change, T &&here, U &&other)
{
    const auto its = simt_elements_of(here);
    const auto others = simt_elements_of(other);

    if constexpr (std::is_convertible<decltype(others.at),
                                      decltype(its.at)>::value)
        return SIMT_MADE(change, 1) == 0
                   ? decltype(simt_elements_of(here)){others.at, others.count}
                   : its;
    else
        return its;
}

/* One of the others in its place, which may be pointers, and no number. */
template <class T, class... U>
SIMT_CHOICE T simt_choose(int first, T here, U... others)
{
    const int made = SIMT_MADE(first, (int)sizeof...(U));

    return made < 0 ? here : simt_picked(made, here, others...);
}

template <class T, class... U>
SIMT_CHANGED T simt_scaled(int made, T here, U... others)
{
    const int number = made / 2 - (int)sizeof...(U);
    const long other = number < 0 ? simt_picked<long>(made / 2, 0, others...)
                                  : simt_numbers[number];

    if (number < 0)
        return (T)(made % 2 == 0 ? (long)here + other : (long)here - other);
    return (T)(made % 2 == 0 ? (long)here * other : (long)here / other);
}

/* A whole number plus or minus one of the others; times, or divided by, one of
   the numbers. */
template <class T, class... U>
SIMT_CHOICE T simt_scale(int first, T here, U... others)
{
    const int made =
        SIMT_MADE(first, 2 * ((int)sizeof...(U) + SIMT_NUMBERS - 1));

    if constexpr (std::is_integral<T>::value && !std::is_same<T, bool>::value)
        return made < 0 ? here : simt_scaled(made, here, others...);
    else
        return here;
}

enum {
    SIMT_POWERS = 7, /* 1, 2, 4 ... 64 */
    SIMT_DEALT = (SIMT_POWERS + 1) * SIMT_POWERS * SIMT_POWERS
};

/* How a number is dealt out to rows or columns: x / a * b + x % c, with powers
   of two, or 0 for b. */
SIMT_CHANGED long simt_dealt(int made, int count, long x)
{
    const long a = 1L << made / (SIMT_POWERS + 1) % SIMT_POWERS;
    const long b = 1L << made % (SIMT_POWERS + 1) >> 1;
    const long c =
        count == SIMT_DEALT ? 1L << made / (SIMT_POWERS + 1) / SIMT_POWERS : a;

    return x / a * b + x % c;
}

template <class T, class U>
SIMT_CHOICE T simt_deal(int first, int count, T here, U x)
{
    const int made = SIMT_MADE(first, count);

    return made < 0 ? here : simt_as(here, simt_dealt(made, count, (long)x));
}

enum {
    SIMT_ADJUSTED = 6
};

template <class T, class... U>
SIMT_CHANGED T simt_adjusted(int made, T here, U... others)
{
    const long other =
        simt_picked_too<long>(made / SIMT_ADJUSTED, 0, others...);

    switch (made % SIMT_ADJUSTED) {
    case 0:
        return (T)((long)here + other);
    case 1:
        return (T)((long)here - other);
    case 2:
        return (T)((long)here * other);
    case 3:
        return (T)(other - (long)here);
    case 4:
        return other != 0 ? (T)((long)here / other) : here;
    default:
        return other != 0 ? (T)((long)here % other) : here;
    }
}

/* A whole number with another added, taken away, and so on; a pointer that
   points so much further on. */
template <class T, class... U>
SIMT_CHOICE T simt_adjust(int first, T here, U... others)
{
    const int made = SIMT_MADE(
        first, SIMT_ADJUSTED * ((int)sizeof...(U) + SIMT_NUMBERS - 1));

    if constexpr (std::is_integral<T>::value && !std::is_same<T, bool>::value)
        return made < 0 ? here : simt_adjusted(made, here, others...);
    else if constexpr (std::is_pointer<T>::value)
        return made < 0 || made % SIMT_ADJUSTED != 0
                   ? here
                   : here + simt_picked_too<long>(made / SIMT_ADJUSTED, 0,
                                                  others...);
    else
        return here;
}

/* Between an operator and its right side: a + simt_operator(first, count) + b.
   In a macro's argument a comma stands between ( ) alone. */
struct simt_operator {
    SIMT_MEMBER simt_operator(int f, int c) : first(f), count(c)
    {
    }
    int first, count;
};

template <class T> struct simt_left {
    T value;
    simt_operator of;
};

template <class T, class U> SIMT_CHANGED T simt_rest(T left, U right)
{
    if constexpr (std::is_integral<T>::value && std::is_integral<U>::value)
        return right != 0 ? (T)(left % right) : left;
    else
        return left;
}

template <class T, class U> SIMT_CHANGED T simt_ratio(T left, U right)
{
    return right != (U)0 ? (T)(left / right) : left;
}

#define SIMT_OPERATOR(op, ...)                                                \
    template <class T>                                                        \
    SIMT_CHOICE simt_left<T> operator op(T left, simt_operator o)             \
    {                                                                         \
        return {left, o};                                                     \
    }                                                                         \
    template <class T, class U>                                               \
    SIMT_CHOICE auto operator op(simt_left<T> l, U right)                     \
        ->decltype(l.value op right)                                          \
    {                                                                         \
        typedef decltype(l.value op right) result;                            \
        const T left = l.value;                                               \
        const int made = SIMT_MADE(l.of.first, l.of.count);                   \
                                                                              \
        if constexpr (std::is_arithmetic<T>::value &&                         \
                      std::is_arithmetic<U>::value) {                         \
            if (made >= 0)                                                    \
                return simt_picked<result>(made, left op right, __VA_ARGS__); \
        }                                                                     \
        return left op right;                                                 \
    }

/* Of those that calculate the last leaves out the right side, and of the first
   three the one before it the left side. changes.c names them. */
SIMT_OPERATOR(+, (result)(left - right), (result)(left *right), (result)right,
              (result)left)
SIMT_OPERATOR(-, (result)(left + right), (result)right, (result)left)
SIMT_OPERATOR(*, (result)simt_ratio(left, right),
              (result)simt_rest(left, right), (result)(left + right),
              (result)right, (result)left)
SIMT_OPERATOR(/, (result)simt_rest(left, right), (result)(left *right),
              (result)left)
SIMT_OPERATOR(%, (result)simt_ratio(left, right), (result)(left *right),
              (result)left)
SIMT_OPERATOR(<, left <= right, left> right)
SIMT_OPERATOR(>, left >= right, left < right)
SIMT_OPERATOR(<=, left < right)
SIMT_OPERATOR(>=, left > right)
SIMT_OPERATOR(==, left != right)
SIMT_OPERATOR(!=, left == right)

/* Another component: v ->* simt_component(first, 0) for v.x. */
struct simt_component {
    SIMT_MEMBER simt_component(int f, int a) : first(f), at(a)
    {
    }
    int first, at;
};

template <class V>
SIMT_CHOICE auto operator->*(V &v, simt_component c) -> decltype((v.x))
{
    const int count = (int)(sizeof v / sizeof v.x);
    const int made = SIMT_MADE(c.first, 3);

    return (&v.x)[made >= 0 ? (c.at + 1 + made) % count : c.at];
}

/* 1 where a statement is put in by change, or by one of the changes from moved
   on that puts one of `sites` to one of `places`. */
SIMT_CHOICE int simt_put(int change, int moved, int sites, int places,
                         int place)
{
    const int made = SIMT_MADE(moved, sites * places);

    return SIMT_MADE(change, 1) == 0 || (made >= 0 && made % places == place);
}

/* 1 where a statement stays. */
SIMT_CHOICE int simt_stays(int change, int moved, int places)
{
    return SIMT_MADE(change, 1) < 0 && simt_made(moved, places) < 0;
}

#endif /* SIMT_CHOICES_H */
