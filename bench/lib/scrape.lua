-- For wrk: POSTs one scrape request again and again; prints the results as one line of JSON after @@.
wrk.method = "POST"
wrk.body = os.getenv("BENCH_BODY")
wrk.headers["Content-Type"] = "application/json"
wrk.headers["Authorization"] = os.getenv("BENCH_AUTHORIZATION")

function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\n@@{"requests":%d,"duration":%d,"p50":%d,"p99":%d,"status":%d,"broken":%d,"timeout":%d}\n',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    e.status, e.connect + e.read + e.write, e.timeout))
end
