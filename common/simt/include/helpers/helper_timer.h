/* helper_timer.h: a watch that is started, stopped and read, in ms. */
#ifndef SIMT_HELPER_TIMER_H
#define SIMT_HELPER_TIMER_H

#include <chrono>

class StopWatchInterface
{
    typedef std::chrono::steady_clock clock;

    clock::time_point begin;
    clock::duration total{0};
    int sessions = 0;
    bool is_running = false;

  public:
    void start()
    {
        begin = clock::now();
        is_running = true;
    }
    void stop()
    {
        total += clock::now() - begin;
        sessions++;
        is_running = false;
    }
    void reset()
    {
        total = clock::duration{0};
        sessions = 0;
        begin = clock::now();
    }
    float getTime() const
    {
        const clock::duration now =
            is_running ? clock::now() - begin : clock::duration{0};

        return std::chrono::duration<float, std::milli>(total + now).count();
    }
    float getAverageTime() const
    {
        return sessions > 0 ? getTime() / (float)sessions : 0;
    }
};

typedef StopWatchInterface StopWatchLinux;

/* Of a timer that is not there they return false, and 0 ms. */
static inline bool sdkCreateTimer(StopWatchInterface **timer)
{
    *timer = new StopWatchInterface();
    return true;
}

static inline bool sdkDeleteTimer(StopWatchInterface **timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}

static inline bool sdkStartTimer(StopWatchInterface **timer)
{
    if (*timer != nullptr)
        (*timer)->start();
    return *timer != nullptr;
}

static inline bool sdkStopTimer(StopWatchInterface **timer)
{
    if (*timer != nullptr)
        (*timer)->stop();
    return *timer != nullptr;
}

static inline bool sdkResetTimer(StopWatchInterface **timer)
{
    if (*timer != nullptr)
        (*timer)->reset();
    return *timer != nullptr;
}

static inline float sdkGetTimerValue(StopWatchInterface **timer)
{
    return *timer != nullptr ? (*timer)->getTime() : 0;
}

static inline float sdkGetAverageTimerValue(StopWatchInterface **timer)
{
    return *timer != nullptr ? (*timer)->getAverageTime() : 0;
}

#endif /* SIMT_HELPER_TIMER_H */
