/* pipeline.cpp - two threads and a queue: a span per stage, arrows between them, exceptions, a schedule.
 *
 *     ./pipeline run.opl                  starts and stops through the API
 *     OPLENS_OUTPUT=run.opl ./pipeline    is recorded by the environment alone */
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

#include <oplens/oplens.h>

namespace
{

constexpr int frame_count = 24;
constexpr std::size_t frame_size = 4096;

struct frame {
    int number;
    std::uint64_t flow; /* ties the span that made it to the span that uses it */
    std::vector<float> pixels;
};

/* Holds at most two frames; an empty optional says that no more will come. */
class frame_queue
{
  public:
    void push(std::optional<frame> item)
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return items_.size() < 2; });
        items_.push_back(std::move(item));
        note_size();
        changed_.notify_all();
    }

    std::optional<frame> pop()
    {
        std::unique_lock<std::mutex> lock(mutex_);
        changed_.wait(lock, [this] { return !items_.empty(); });
        std::optional<frame> item = std::move(items_.front());
        items_.pop_front();
        note_size();
        changed_.notify_all();
        return item;
    }

  private:
    /* Two threads change one counter, so it lives on a track of its own, not on theirs. */
    void note_size()
    {
        opl_counter_int(OPL_SITE("queued frames", OPL_CAT_COUNTER, 1), track_,
                        static_cast<std::int64_t>(items_.size()));
    }

    std::uint32_t track_ = opl_track_declare(OPL_DEVICE_HOST, "frame queue", 0);
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::optional<frame>> items_;
};

/* ---- the producer's stage ---- */

frame decode(int number)
{
    frame made{number, opl_flow_new(), std::vector<float>(frame_size)};
    for (std::size_t i = 0; i < frame_size; i++)
        made.pixels[i] = std::sin(static_cast<float>(i + static_cast<std::size_t>(number)));
    return made;
}

void produce(frame_queue &queue)
{
    opl_thread_name("decoder");
    for (int number = 0; number < frame_count; number++) {
        std::optional<frame> made;
        OPL_SPAN ("decode", OPL_CAT_DATA) {
            OPL_INT("frame", number);
            made = decode(number);
            opl_flow_begin(&opl_this_span, made->flow);
        }
        queue.push(std::move(made)); /* outside the span: waiting is not decoding */
    }
    queue.push(std::nullopt);
}

/* ---- the consumer's stages ---- */

/* An exception leaves the block, and the span ends there. */
void check(const frame &given)
{
    OPL_SPAN ("check", OPL_CAT_OP) {
        OPL_INT("frame", given.number);
        if (given.number % 5 == 4)
            throw std::runtime_error("frame is torn");
    }
}

float infer(const frame &given)
{
    float sum = 0;
    OPL_SPAN ("infer", OPL_CAT_INFERENCE) {
        opl_flow_end(&opl_this_span, given.flow);
        try {
            check(given);
            OPL_SPAN ("reduce", OPL_CAT_OP) {
                for (float pixel : given.pixels)
                    sum += std::sqrt(std::fabs(pixel));
            }
        } catch (const std::runtime_error &error) {
            OPL_TEXT("error", error.what());
        }
    }
    return sum;
}

/* One frame is one turn of the loop; the schedule decides which turns are recorded. */
float consume(frame_queue &queue)
{
    float sum = 0;
    opl_thread_name("inference");
    while (std::optional<frame> given = queue.pop()) {
        sum += infer(*given);
        opl_schedule_step();
    }
    return sum;
}

void start_recording(const char *path)
{
    opl_error error{};
    opl_recorder_options options{};
    options.path = path;
    if (opl_recorder_start(&options, &error) != OPL_OK)
        std::fprintf(stderr, "pipeline: %s; running on without a trace\n", error.message);
}

/* Of every six turns the first two wait, one warms up, three are recorded; twice. */
void set_schedule()
{
    opl_error error{};
    opl_schedule schedule{};
    schedule.wait = 2;
    schedule.warmup = 1;
    schedule.active = 3;
    schedule.repeat = 2;
    if (opl_schedule_set(&schedule, &error) != OPL_OK)
        std::fprintf(stderr, "pipeline: %s\n", error.message);
}

} // namespace

int main(int argc, char **argv)
{
    frame_queue queue;
    float sum = 0;
    if (argc > 1)
        start_recording(argv[1]);
    set_schedule();
    std::thread producer([&] { produce(queue); });
    std::thread consumer([&] { sum = consume(queue); });
    producer.join();
    consumer.join();
    opl_schedule_set(nullptr, nullptr); /* ends the last turn */
    std::printf("pipeline: %d frames, sum %.1f\n", frame_count, static_cast<double>(sum));
    opl_recorder_stop();
}
