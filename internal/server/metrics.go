package server

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/drawbridge-browser/drawbridge/internal/hub"
)

// metrics is what GET /metrics tells: numbers and types of actions, never a user, a browser, an address or a token.
type metrics struct {
	registry   *prometheus.Registry
	handshakes *prometheus.CounterVec
	requests   *prometheus.CounterVec
	actions    *prometheus.HistogramVec
}

func newMetrics(h *hub.Hub, version string, halfOpen func() int) *metrics {
	m := &metrics{
		// Its own, so that two servers in one process, as in tests, do not meet in the library's global one.
		registry: prometheus.NewRegistry(),
		handshakes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "drawbridge_handshakes_total", Help: "Browsers' connections by how their handshake ended.",
		}, []string{"outcome"}),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "drawbridge_http_requests_total", Help: "HTTP requests by route and status.",
		}, []string{"route", "status"}),
		actions: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "drawbridge_action_seconds", Help: "How long actions took, by type and by ok or the error's code.",
			Buckets: []float64{.002, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60},
		}, []string{"action", "code"}),
	}
	build := prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "drawbridge_build_info", Help: "Always 1; the version is its label.", ConstLabels: prometheus.Labels{"version": version},
	})
	build.Set(1)
	open := prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "drawbridge_half_open", Help: "Browsers' connections that are not acknowledged yet.",
	}, func() float64 { return float64(halfOpen()) })
	m.registry.MustRegister(m.handshakes, m.requests, m.actions, build, open, hubCollector{h},
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

func (m *metrics) action(action, code string, took time.Duration) {
	m.actions.WithLabelValues(action, code).Observe(took.Seconds())
}

// count counts requests by route. A route that does not exist is one label, whatever strangers ask for.
func (m *metrics) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(seen, r)
		route := r.Pattern // set by the mux
		if route == "" {
			route = "none"
		}
		m.requests.WithLabelValues(route, strconv.Itoa(seen.status)).Inc()
	})
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader sends the status and remembers it.
func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets the upgrade and the deadlines through to the connection.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// hubCollector tells what the hub counts, each field of its Stats as one metric.
type hubCollector struct{ hub *hub.Hub }

type hubMetric struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(hub.Stats) float64
}

func gauge(name, help string, of func(hub.Stats) int64) hubMetric {
	return hubMetric{prometheus.NewDesc("drawbridge_hub_"+name, help, nil, nil), prometheus.GaugeValue, func(s hub.Stats) float64 { return float64(of(s)) }}
}

func counter(name, help string, of func(hub.Stats) uint64) hubMetric {
	return hubMetric{prometheus.NewDesc("drawbridge_hub_"+name+"_total", help, nil, nil), prometheus.CounterValue, func(s hub.Stats) float64 { return float64(of(s)) }}
}

var hubMetrics = []hubMetric{
	gauge("links", "Connections that have not ended.", func(s hub.Stats) int64 { return s.Links }),
	gauge("browsers", "Browsers that are connected.", func(s hub.Stats) int64 { return s.Browsers }),
	gauge("pending", "Calls that wait for an answer.", func(s hub.Stats) int64 { return s.Pending }),
	gauge("waiting", "Calls that wait for a browser to come back.", func(s hub.Stats) int64 { return s.Waiting }),
	gauge("bytes", "Bytes charged to users.", func(s hub.Stats) int64 { return s.Bytes }),
	counter("attached", "Connections accepted.", func(s hub.Stats) uint64 { return s.Attached }),
	counter("replaced", "Connections that a newer one of the same browser ended.", func(s hub.Stats) uint64 { return s.Replaced }),
	counter("stale", "Connections refused because a newer one was there.", func(s hub.Stats) uint64 { return s.Stale }),
	counter("silent", "Connections ended because nothing was heard.", func(s hub.Stats) uint64 { return s.Silent }),
	counter("slow", "Connections ended because nothing was read.", func(s hub.Stats) uint64 { return s.Slow }),
	counter("unruly", "Connections ended for too many invalid frames.", func(s hub.Stats) uint64 { return s.Unruly }),
	counter("calls", "Calls.", func(s hub.Stats) uint64 { return s.Calls }),
	counter("succeeded", "Calls that the browser answered with a result.", func(s hub.Stats) uint64 { return s.Succeeded }),
	counter("refused", "Calls that the browser answered with an error.", func(s hub.Stats) uint64 { return s.Refused }),
	counter("timed_out", "Calls ended by their deadline.", func(s hub.Stats) uint64 { return s.TimedOut }),
	counter("cancelled", "Calls ended by their caller.", func(s hub.Stats) uint64 { return s.Cancelled }),
	counter("cut_off", "Calls ended with their connection.", func(s hub.Stats) uint64 { return s.CutOff }),
	counter("queue_full", "Calls refused because too many waited.", func(s hub.Stats) uint64 { return s.QueueFull }),
	counter("over_budget", "Calls refused for their user's byte budget.", func(s hub.Stats) uint64 { return s.OverBudget }),
	counter("waited_out", "Calls whose browser did not come back in time.", func(s hub.Stats) uint64 { return s.WaitedOut }),
	counter("late_answers", "Answers that came after their call had ended.", func(s hub.Stats) uint64 { return s.LateAnswers }),
	counter("duplicate_answers", "Answers that came after their call's answer.", func(s hub.Stats) uint64 { return s.DuplicateAnswers }),
	counter("unknown_answers", "Answers to no call at all.", func(s hub.Stats) uint64 { return s.UnknownAnswers }),
	counter("invalid_frames", "Frames that did not fit.", func(s hub.Stats) uint64 { return s.InvalidFrames }),
	counter("invalid_answers", "Invalid frames that failed a pending call.", func(s hub.Stats) uint64 { return s.InvalidAnswers }),
	counter("ignored_frames", "Frames of no meaning to this version.", func(s hub.Stats) uint64 { return s.IgnoredFrames }),
	counter("events", "Events.", func(s hub.Stats) uint64 { return s.Events }),
	counter("events_dropped", "Events that somebody slow did not get.", func(s hub.Stats) uint64 { return s.EventsDropped }),
}

// Describe names the metrics.
func (c hubCollector) Describe(out chan<- *prometheus.Desc) {
	for _, m := range hubMetrics {
		out <- m.desc
	}
}

// Collect tells their values.
func (c hubCollector) Collect(out chan<- prometheus.Metric) {
	stats := c.hub.Stats()
	for _, m := range hubMetrics {
		out <- prometheus.MustNewConstMetric(m.desc, m.kind, m.of(stats))
	}
}
