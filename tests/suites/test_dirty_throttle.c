// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * dirty_throttle: what the generations must bring about in virtual time, by their algorithm alone;
 * real threads with a device that takes its time; and that the invariant checker notices damage.
 */
#include "suites/dirty_throttle/dirty_throttle.h"
#include "drivers/bench/measure.h"
#include "tests/suites/play.h"

#define EXACT "/mode:exact/threads:1"
#define COLD "/lock:ticket/load:iozone/writers:1/bandwidth:60"
#define STREAM "/lock:ticket/load:stream/writers:8/bandwidth:60"
#define CROWD "/lock:ticket/load:stream/writers:512/bandwidth:10"
#define LATE "/lock:ticket/load:late/writers:8/bandwidth:60/slow:6"
enum { CPUS = 8 };

static const char *const generations[] = {"global", "bdi_strict", "bdi_freerun", "paced"};

static const char *name_of(const char *variant, const char *rest)
{
	static char name[LP_NAME_MAX];

	snprintf(name, sizeof(name), "dirty_throttle/%s%s", variant, rest);
	return name;
}

static double metric(const char *variant, const char *rest, const char *figure)
{
	return play_metric(name_of(variant, rest), CPUS, figure);
}

/* ---- what the generations bring about ---- */

static void test_invariants_hold_under_every_load(void **state)
{
	static const char *const loads[] = {COLD "/scale:16", COLD "/scale:16/dirty_ratio:30",
		STREAM "/scale:8/seconds:10", STREAM "/slow:6/scale:16/seconds:10",
		CROWD "/seconds:5", LATE "/scale:16/seconds:20",
		"/lock:unfair/load:stream/writers:3/bandwidth:0/scale:64/seconds:2",
		"/lock:queued/load:stream/writers:8/bandwidth:60/scale:64/mapped:90/seconds:10"};
	struct play p;

	for (size_t g = 0; g < ARRAY_SIZE(generations); g++)
		for (size_t l = 0; l < ARRAY_SIZE(loads); l++) {
			char rest[128];

			snprintf(rest, sizeof(rest), "%s" EXACT, loads[l]);
			play_whole(&p, name_of(generations[g], rest), CPUS, 3);
			play_end(&p);
		}
}

struct cold_run {
	double mib_per_s, to_global, first_to_later;
};

static struct cold_run cold(const char *variant, const char *rest)
{
	struct cold_run x;
	struct play p;

	play_whole(&p, name_of(variant, rest), CPUS, 1);
	x.mib_per_s = lp_metrics_get(&p.run.metrics, "write_mib_per_s");
	x.to_global = lp_metrics_get(&p.run.metrics, "write_to_global");
	x.first_to_later = lp_metrics_get(&p.run.metrics, "first_to_later");
	play_end(&p);
	return x;
}

/* Other ratios do not help: a share shrinks as the limit grows; see dt_prop_change_shift(). */
static void test_a_cold_device_is_the_regression(void **state)
{
	struct cold_run global = cold("global", COLD EXACT);
	struct cold_run strict = cold("bdi_strict", COLD EXACT);
	struct cold_run other_ratios = cold("bdi_strict", COLD "/dirty_ratio:40" EXACT);

	assert_true(global.first_to_later > 0.95);
	assert_true(strict.to_global < 0.8);
	assert_true(strict.first_to_later > 0 && strict.first_to_later < 0.5);
	assert_true(other_ratios.to_global < 0.85);
	assert_true(other_ratios.mib_per_s < 1.2 * strict.mib_per_s);
	assert_true(other_ratios.mib_per_s > 0.8 * strict.mib_per_s);
}

static void test_running_free_wins_it_back(void **state)
{
	for (size_t g = 2; g < ARRAY_SIZE(generations); g++) {
		struct cold_run x = cold(generations[g], COLD EXACT);

		assert_true(x.to_global > 0.95);
		assert_true(x.first_to_later > 0.95);
	}
}

static void test_paced_pauses_and_its_floor(void **state)
{
	struct play p;

	play_whole(&p, name_of("paced", CROWD EXACT), CPUS, 1);
	assert_true(lp_metrics_get(&p.run.metrics, "pause_max_ms") <= 200);
	assert_true(lp_metrics_get(&p.run.metrics, "pause_floor_kib_per_s") == 20);
	assert_true(lp_metrics_get(&p.run.metrics, "writer_jain") > 0.99);
	assert_true(lp_metrics_get(&p.run.metrics, "writer_kib_per_s_min") > 10);
	play_end(&p);
	assert_true(metric("global", CROWD EXACT, "stall_max_ms") > 10000);
}

/* In the long run the floor is what each of them has: more than the device's share by little. */
static void test_the_floor_holds_in_the_long_run(void **state)
{
	double least = metric("paced", CROWD "/seconds:100" EXACT, "writer_kib_per_s_min");

	assert_true(least > 19 && least < 21);
}

static void test_a_slow_device_first(void **state)
{
	double global = metric("global", LATE "/scale:4" EXACT, "fast_to_alone");

	assert_true(global < 0.95);
	assert_true(metric("bdi_strict", LATE "/scale:4" EXACT, "fast_to_alone") > global);
	assert_true(metric("bdi_freerun", LATE "/scale:4" EXACT, "fast_to_alone") > global);
}

static void test_the_seed_decides(void **state)
{
	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		const char *name =
			name_of(generations[g], STREAM "/slow:6/scale:16/seconds:6" EXACT);

		assert_true(play_same(name, CPUS, 5, 5));
		assert_false(play_same(name, CPUS, 5, 6));
	}
}

static void test_series(void **state)
{
	struct play p;
	const struct lp_metric_series *dirty, *device;

	play_whole(&p, name_of("bdi_strict", STREAM "/seconds:20" EXACT), CPUS, 1);
	assert_int_equal(p.run.metrics.series_count, 2);
	dirty = &p.run.metrics.series[0];
	device = &p.run.metrics.series[1];
	assert_string_equal(dirty->name, "dirty");
	assert_true(dirty->rows > 200 && dirty->rows <= DT_SAMPLES);
	for (size_t i = 1; i < dirty->rows; i++) {
		assert_true(dirty->cell[i * 5] > dirty->cell[(i - 1) * 5]);
		assert_true(
			dirty->cell[i * 5 + 1] + dirty->cell[i * 5 + 2] == device->cell[i * 4 + 3]);
		assert_true(device->cell[i * 4 + 1] >= 0 && device->cell[i * 4 + 1] <= 1);
	}
	play_end(&p);
}

/* ---- real threads ---- */

struct machine {
	struct lp_topology topology;
	int os_cpu[64];
	int cpus;
};

static int machine_load(void **state)
{
	static struct machine m;
	struct lp_error err;
	int *os_cpu;

	if (lp_topology_load(&m.topology, NULL, &err))
		return -1;
	os_cpu = calloc((size_t)m.topology.ncpus, sizeof(int));
	m.cpus = os_cpu ? lp_topology_usable(&m.topology, os_cpu) : 0;
	m.cpus = m.cpus < 64 ? m.cpus : 64;
	for (int i = 0; i < m.cpus; i++)
		m.os_cpu[i] = os_cpu[i];
	free(os_cpu);
	*state = &m;
	return m.cpus ? 0 : -1;
}

static int machine_free(void **state)
{
	lp_topology_free(&((struct machine *)*state)->topology);
	return 0;
}

static uint64_t measure(struct machine *m, const char *rest, int threads, uint64_t window_ns)
{
	struct lp_measure_options options = {.topology = &m->topology,
		.os_cpu = m->os_cpu,
		.cpus = m->cpus,
		.window_ns = window_ns,
		.seed = 1};
	uint64_t ops = 0;

	for (size_t g = 0; g < ARRAY_SIZE(generations); g++) {
		const char *name = name_of(generations[g], rest);
		struct lp_measurement x;
		struct lp_error err;
		struct lp_case c;

		if (lp_case_parse(&c, name, &err))
			fail_msg("%s: %s", name, err.message);
		c.threads = threads;
		if (lp_measure(&c, &options, &x, &err))
			fail_msg("%s with %d threads: %s", name, threads, err.message);
		assert_true(x.ops > 0);
		ops += x.ops;
		lp_measurement_destroy(&x);
	}
	return ops;
}

/* Completions, congestion and pauses of two devices by the machine's clock; all invariants are
 * checked inside. The device is fast enough to be waited for many times within the window. */
static void test_real_devices(void **state)
{
	struct machine *m = *state;

	for (int threads = 1; threads <= 2 && threads <= m->cpus; threads++)
		measure(m,
			"/lock:ticket/load:stream/writers:8/bandwidth:20000/slow:4000/cost:10/"
			"scale:64",
			threads, 100000000);
}

static void test_real_contention(void **state)
{
	struct machine *m = *state;
	static const char *const rows[] = {
		"/lock:unfair/load:stream/writers:8/bandwidth:0/scale:16",
		"/lock:queued/load:stream/writers:1/bandwidth:0/slow:1000/scale:64",
		"/lock:ticket/load:stream/writers:64/bandwidth:0/scale:16/mode:observed"};

	for (size_t i = 0; i < ARRAY_SIZE(rows); i++)
		measure(m, rows[i], m->cpus < 2 ? 1 : 2, 50000000);
}

static void test_loads_of_minutes_are_exact_only(void **state)
{
	struct machine *m = *state;
	struct lp_error err;
	struct lp_case c;
	char buffer[256];

	assert_int_equal(lp_case_parse(&c, "dirty_throttle/global" COLD, &err), 0);
	assert_non_null(lp_case_unavailable(&c, &m->topology, buffer, sizeof(buffer)));
	assert_int_equal(lp_case_parse(&c, "dirty_throttle/global" COLD EXACT, &err), 0);
	assert_null(lp_case_unavailable(&c, &m->topology, buffer, sizeof(buffer)));
	assert_int_equal(
		lp_case_parse(&c,
			"dirty_throttle/paced/lock:ticket/load:late/writers:1/bandwidth:60" EXACT,
			&err),
		0);
	assert_non_null(lp_case_unavailable(&c, &m->topology, buffer, sizeof(buffer)));
}

/* ---- the checker notices ---- */

static void lose_a_page(struct dt *s)
{
	s->bdi[0].file[0].dirtied++;
}

static void arrive_twice(struct dt *s)
{
	s->bdi[0].file[0].faults++;
}

static void lose_a_request(struct dt *s)
{
	struct dt_bdi *b = &s->bdi[0];

	b->request[b->head].run.pages++;
}

static void miscount(struct dt *s)
{
	atomic_fetch_add(&s->nr_dirty.count, 1);
}

static void miscount_device(struct dt *s)
{
	percpu_counter_add(&s->bdi[0].writeback, -1, LP_LOCK_TICKET);
}

static void clean_a_page_unseen(struct dt *s)
{
	struct dt_file *f = &s->bdi[0].file[0];

	for (uint32_t i = 0; i < f->pages / 64; i++)
		if (f->dirty_tag[i]) {
			f->dirty_tag[i] &= f->dirty_tag[i] - 1;
			return;
		}
	fail_msg("no dirty page to spoil");
}

static void be_off_by_too_much(struct dt *s)
{
	s->stat_error = s->cpus * s->nr_dirty.threshold + 1;
}

static void be_off_by_too_much_on_a_device(struct dt *s)
{
	s->bdi_error = (int64_t)dt_bdi_error(s) + 1;
}

static void starve(struct dt *s)
{
	s->writer[3].pages = 0;
}

static void wait_for_nothing(struct dt *s)
{
	s->writer[0].state = DT_WRITING;
	atomic_store(&s->bdi[0].queued, 0);
	for (int i = 0; i < s->bdi[0].files; i++) {
		struct dt_file *f = &s->bdi[0].file[i];

		memset(f->writeback_tag, 0, (f->pages + 63) / 64 * 8);
		f->completed = f->submitted;
	}
	atomic_store(&s->nr_writeback.count, 0);
	percpu_counter_add(&s->bdi[0].writeback,
		-percpu_counter_sum(&s->bdi[0].writeback, LP_LOCK_TICKET), LP_LOCK_TICKET);
}

static void pause_too_long(struct dt *s)
{
	s->cpu[1]->pauses_over_200ms = 1;
}

static void test_checker_notices(void **state)
{
	static const struct {
		void (*spoil)(struct dt *s);
		const char *says;
	} damages[] = {
		{lose_a_page, "pages dirtied"},
		{arrive_twice, "without having been sent"},
		{lose_a_request, "queue"},
		{miscount, "dirty pages of machine"},
		{miscount_device, "pages under writeback of device"},
		{clean_a_page_unseen, "still dirty"},
		{be_off_by_too_much, "zone counter was off"},
		{be_off_by_too_much_on_a_device, "device's counter was off"},
		{starve, "writer 3 never"},
		{wait_for_nothing, "waits for a device"},
		{pause_too_long, "over 200 ms"},
	};
	struct play p;

	for (size_t i = 0; i < ARRAY_SIZE(damages); i++) {
		play_begin(&p, name_of("paced", STREAM "/scale:16/seconds:4" EXACT), CPUS, 1);
		assert_int_equal(play_check(&p), 0);
		damages[i].spoil(p.run.state);
		assert_true(play_check(&p) < 0);
		if (!strstr(p.err.message, damages[i].says))
			fail_msg("expected '%s', was told: %s", damages[i].says, p.err.message);
		play_end(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_invariants_hold_under_every_load),
		cmocka_unit_test(test_a_cold_device_is_the_regression),
		cmocka_unit_test(test_running_free_wins_it_back),
		cmocka_unit_test(test_paced_pauses_and_its_floor),
		cmocka_unit_test(test_the_floor_holds_in_the_long_run),
		cmocka_unit_test(test_a_slow_device_first),
		cmocka_unit_test(test_the_seed_decides),
		cmocka_unit_test(test_series),
		cmocka_unit_test(test_real_devices),
		cmocka_unit_test(test_real_contention),
		cmocka_unit_test(test_loads_of_minutes_are_exact_only),
		cmocka_unit_test(test_checker_notices),
	};

	return cmocka_run_group_tests(tests, machine_load, machine_free);
}
