# Made from _async_client.py by scripts/generate-python-sdk.ts.
from __future__ import annotations

import json
import time
from time import monotonic
from typing import Any, Iterator, Callable, Generic, Mapping, Optional, Sequence, TypeVar, cast

import httpx

from . import _types as types
from ._calls import Call, Tries, id_path, query_of, url_of
from ._errors import connection_error, parse_json, response_error, timeout_error
from ._models import JobEvent, Page

_T = TypeVar("_T")

# How long one request waits for the end of a scrape, in seconds, and how much longer such a request may take.
_WAIT = 30.0
_WAIT_GRACE = 15.0
# Pauses between questions about a job that goes on.
_FIRST_POLL = 0.25
_LAST_POLL = 4.0
_EVENTS_RETRY = 2.0
# The service sends something each 15 s. A connection on which nothing arrives for this time is dead.
_SILENCE = 45.0
# A service that is started again is there again within this many tries.
_EVENTS_RETRIES = 10


class Transport:
    """Sends calls, and sends them again where that helps and does no harm."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        timeout: Optional[float],
        max_retries: int,
        http_client: Optional[httpx.Client],
    ) -> None:
        self._base_url = base_url
        self._api_key = api_key
        self._timeout = timeout
        self._max_retries = max_retries
        self._owned = httpx.Client() if http_client is None else None
        self._http = http_client or cast(httpx.Client, self._owned)

    def close(self) -> None:
        if self._owned is not None:
            self._owned.close()

    def json(
        self,
        call: Call,
        *,
        timeout: Optional[float] = None,
        idempotency_key: Optional[str] = None,
    ) -> Any:
        status, body = self._call(call, timeout, idempotency_key)
        return parse_json(status, body)

    def content(self, call: Call, *, timeout: Optional[float] = None) -> bytes:
        _, body = self._call(call, timeout, None)
        return body

    def lines(self, call: Call) -> Iterator[str]:
        """The lines of a response as they arrive, until it ends or breaks off. The first is empty. None: status 204."""
        tries = Tries(call, self._timeout, _EVENTS_RETRIES, None)
        while True:
            request = self._request(call, tries, httpx.Timeout(tries.remaining(), read=_SILENCE))
            try:
                response = self._http.send(request, stream=True, follow_redirects=False)
            except httpx.TransportError:
                time.sleep(tries.pause_after(connection_error()))
                continue
            try:
                if response.status_code == 204:
                    return
                if response.is_success:
                    yield ""
                    for line in response.iter_lines():
                        yield line.rstrip("\r\n")
                    return
                error = response_error(response.status_code, response.headers, response.read())
            except httpx.TransportError:
                return
            finally:
                response.close()
            time.sleep(tries.pause_after(error))

    def _call(
        self, call: Call, timeout: Optional[float], idempotency_key: Optional[str]
    ) -> tuple[int, bytes]:
        limit = self._timeout if timeout is None else timeout
        tries = Tries(call, limit, self._max_retries, idempotency_key)
        while True:
            request = self._request(call, tries, httpx.Timeout(tries.remaining()))
            try:
                response = self._http.send(request, stream=True, follow_redirects=False)
                try:
                    body = self._read(response, tries)
                finally:
                    response.close()
                if response.is_success:
                    return response.status_code, body
                error = response_error(response.status_code, response.headers, body)
            except httpx.TimeoutException as cause:
                raise timeout_error(tries.seconds) from cause
            except httpx.TransportError:
                error = connection_error()
            time.sleep(tries.pause_after(error))

    def _read(self, response: httpx.Response, tries: Tries) -> bytes:
        parts = []
        for part in response.iter_bytes():
            parts.append(part)
            tries.remaining()
        return b"".join(parts)

    def _request(self, call: Call, tries: Tries, timeout: httpx.Timeout) -> httpx.Request:
        return self._http.build_request(
            call.method,
            url_of(self._base_url, call.path),
            params=query_of(call.query),
            headers=tries.headers(self._api_key),
            json=call.body,
            timeout=timeout,
        )


class Pages(Generic[_T]):
    """A list that is loaded page by page while it is read: ``for item in pages``."""

    def __init__(
        self,
        load: Callable[[Optional[str]], Any],
        cursor: Optional[str] = None,
        on_empty: Optional[Callable[[], bool]] = None,
    ) -> None:
        self._load = load
        self._cursor = cursor
        self._on_empty = on_empty

    def pages(self) -> Iterator[Page[_T]]:
        """Page by page, for those who keep ``next_cursor`` to continue later."""
        cursor = self._cursor
        while True:
            body = self._load(cursor)
            page: Page[_T] = Page(body["items"], body["next_cursor"])
            cursor = page.next_cursor
            if page.items:
                yield page
            elif cursor is not None and self._on_empty is not None and not self._on_empty():
                return
            if cursor is None:
                return

    def __iter__(self) -> Iterator[_T]:
        for page in self.pages():
            for item in page.items:
                yield item


def _list(transport: Transport, path: str, query: Mapping[str, Any]) -> Pages[Any]:
    def load(cursor: Optional[str]) -> Any:
        return transport.json(Call("GET", path, {**query, "cursor": cursor}))

    return Pages(load, query.get("cursor"))


class Scrapes:
    """The scrapes that the service has stored."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: Optional[types.ListScrapesQuery] = None) -> Pages[types.ScrapeSummary]:
        """Newest first, unless ``order`` says something else."""
        return _list(self._transport, "/api/v1/scrape/", query or {})

    def get(self, id: str) -> types.ScrapeRecord:
        """The scrape; only ``id`` and ``state`` if it was started with ``start_scrape`` and has not ended.

        A scrape that has failed is no error.
        """
        return cast(types.ScrapeRecord, self._transport.json(Call("GET", id_path("scrape", id))))

    def wait(self, id: str, *, timeout: Optional[float] = None) -> types.ScrapeRecord:
        """Waits until the scrape has ended.

        :param timeout: limit of the whole wait in seconds; None: there is none
        """
        end = None if timeout is None else monotonic() + timeout
        while True:
            seconds = _WAIT if end is None else min(_WAIT, end - monotonic())
            if timeout is not None and seconds <= 0:
                raise timeout_error(timeout)
            query = {"wait_ms": int(seconds * 1000)}
            call = Call("GET", id_path("scrape", id), query)
            answer = self._transport.json(call, timeout=_WAIT + _WAIT_GRACE)
            if "router" in answer:
                return cast(types.ScrapeRecord, answer)

    def request(self, id: str) -> dict[str, Any]:
        """The request of the scrape, with its secrets masked."""
        return cast("dict[str, Any]", self._transport.json(Call("GET", id_path("scrape", id, "request/"))))

    def content(self, id: str) -> bytes:
        """The bytes of the content."""
        call = Call("GET", id_path("scrape", id, "content/"), headers={"accept": "*/*"})
        return self._transport.content(call)

    def read(self, id: str, request: types.ReadingRequest) -> types.ReadingResult:
        """Reads the stored content again, in other formats and with other rules, without fetching it."""
        call = Call("POST", id_path("scrape", id, "read/"), body=request, repeat="safe")
        return cast(types.ReadingResult, self._transport.json(call))

    def delete(self, id: str) -> None:
        """Deletes the scrape; cancels it if it was started with ``start_scrape`` and has not ended."""
        self._transport.json(Call("DELETE", id_path("scrape", id)))


class Jobs:
    """Batches, crawls and asynchronous scrapes."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: Optional[types.ListJobsQuery] = None) -> Pages[types.Job]:
        """Newest first."""
        return _list(self._transport, "/api/v1/jobs/", query or {})

    def get(self, id: str) -> types.Job:
        return cast(types.Job, self._transport.json(Call("GET", id_path("jobs", id))))

    def wait(self, id: str, *, timeout: Optional[float] = None) -> types.Job:
        """Waits until the job has ended; also while it is paused.

        :param timeout: limit of the whole wait in seconds; None: there is none
        :returns: the job: ``done``, ``failed`` or ``cancelled``
        """
        end = None if timeout is None else monotonic() + timeout
        seconds = _FIRST_POLL
        while True:
            job = self.get(id)
            if job["ended_at"] is not None:
                return job
            if timeout is not None and end is not None and monotonic() + seconds >= end:
                raise timeout_error(timeout)
            time.sleep(seconds)
            seconds = min(_LAST_POLL, seconds * 1.5)

    def change(self, id: str, change: types.JobChange) -> types.Job:
        return cast(types.Job, self._transport.json(Call("PATCH", id_path("jobs", id), body=change)))

    def cancel(self, id: str) -> None:
        """No item starts later, and those that run are aborted. The results stay."""
        self._transport.json(Call("DELETE", id_path("jobs", id)))

    def delete(self, id: str) -> None:
        """Cancels the job, and deletes it with its results and their records."""
        self._transport.json(Call("DELETE", id_path("jobs", id), {"purge": "1"}))

    def pause(self, id: str) -> types.Job:
        return self._steer(id, "pause/")

    def resume(self, id: str) -> types.Job:
        return self._steer(id, "resume/")

    def retry_failed(self, id: str) -> types.Job:
        return self._steer(id, "retry-failed/")

    def try_now(self, id: str, items: Optional[Sequence[int]] = None) -> types.Job:
        """Starts what waits for a retry at once.

        :param items: numbers of items (``item``); None: all that wait for a retry
        """
        body = None if items is None else {"items": [*items]}
        call = Call("POST", id_path("jobs", id, "try-now/"), body=body)
        return cast(types.Job, self._transport.json(call))

    def clone(self, id: str) -> types.Job:
        """Starts a new job with the settings and the first items of this one."""
        return self._steer(id, "clone/")

    def results(
        self, id: str, query: Optional[types.GetJobResultsQuery] = None, *, follow: bool = True
    ) -> Pages[types.JobItem]:
        """Items that have ended, in the order of their ends.

        :param follow: False: only the results that are there now; True: until the job has ended
        """
        given: Mapping[str, Any] = query or {}
        seconds = _FIRST_POLL

        def load(cursor: Optional[str]) -> Any:
            nonlocal seconds
            path = id_path("jobs", id, "results/")
            page = self._transport.json(Call("GET", path, {**given, "cursor": cursor}))
            if page["items"]:
                seconds = _FIRST_POLL
            return page

        def on_empty() -> bool:
            nonlocal seconds
            if follow:
                time.sleep(seconds)
                seconds = min(_LAST_POLL, seconds * 1.5)
            return follow

        return Pages(load, given.get("cursor"), on_empty)

    def items(self, id: str, query: Optional[types.ListJobItemsQuery] = None) -> Pages[types.ListedJobItem]:
        """All items, also those that wait or run, without what was scraped."""
        return _list(self._transport, id_path("jobs", id, "items/"), query or {})

    def folders(self, id: str, query: Optional[types.ListJobFoldersQuery] = None) -> Pages[types.JobFolder]:
        """The items as a tree by host and path, one level at a time."""
        return _list(self._transport, id_path("jobs", id, "folders/"), query or {})

    def events(self, id: str, *, last_event_id: int = 0) -> Iterator[JobEvent]:
        """Events until the job has ended. After a lost connection it goes on with the next event.

        :param last_event_id: ``sequence`` of the last event that is known
        """
        last = last_event_id
        while True:
            headers = {"accept": "text/event-stream", "last-event-id": str(last)}
            is_over = True
            before = last
            for line in self._transport.lines(Call("GET", id_path("jobs", id, "events/"), headers=headers)):
                is_over = False
                # Each event of the service is one line of data (HTML Living Standard §9.2.6).
                if line.startswith("data:"):
                    event: JobEvent = json.loads(line[len("data:") :])
                    last = event["sequence"]
                    yield event
            if is_over:
                return
            if last == before:
                time.sleep(_EVENTS_RETRY)

    def _steer(self, id: str, action: str) -> types.Job:
        return cast(types.Job, self._transport.json(Call("POST", id_path("jobs", id, action))))


class Monitors:
    """Pages, batches and crawls that are compared at each run of a schedule."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, request: types.MonitorRequest, *, idempotency_key: Optional[str] = None
    ) -> types.Monitor:
        call = Call("POST", "/api/v1/monitors/", body=request, repeat="key")
        return cast(types.Monitor, self._transport.json(call, idempotency_key=idempotency_key))

    def preview(self, request: types.MonitorPreviewRequest) -> types.MonitorPreview:
        """Fetches the page once, and shows what a run would compare."""
        call = Call("POST", "/api/v1/monitors/preview/", body=request)
        return cast(types.MonitorPreview, self._transport.json(call))

    def list(self, query: Optional[types.ListMonitorsQuery] = None) -> Pages[types.Monitor]:
        return _list(self._transport, "/api/v1/monitors/", query or {})

    def get(self, id: str) -> types.Monitor:
        return self._monitor(Call("GET", id_path("monitors", id)))

    def change(self, id: str, change: types.MonitorChange) -> types.Monitor:
        return self._monitor(Call("PATCH", id_path("monitors", id), body=change))

    def delete(self, id: str) -> None:
        """Deletes the monitor with its runs and their records."""
        self._transport.json(Call("DELETE", id_path("monitors", id)))

    def pause(self, id: str) -> types.Monitor:
        return self._monitor(Call("POST", id_path("monitors", id, "pause/")))

    def resume(self, id: str) -> types.Monitor:
        return self._monitor(Call("POST", id_path("monitors", id, "resume/")))

    def run(self, id: str) -> int:
        """Begins a run now; the schedule stays. Returns the number of the run."""
        return cast(int, (self._transport.json(Call("POST", id_path("monitors", id, "run/"))))["n"])

    def runs(self, id: str, query: Optional[types.ListMonitorRunsQuery] = None) -> Pages[types.MonitorRun]:
        """Newest first."""
        return _list(self._transport, id_path("monitors", id, "runs/"), query or {})

    def noise(self, id: str) -> types.NoiseList:
        """Rules that would hide what changes at most runs."""
        return cast(types.NoiseList, self._transport.json(Call("GET", id_path("monitors", id, "noise/"))))

    def _monitor(self, call: Call) -> types.Monitor:
        return cast(types.Monitor, self._transport.json(call))


class Schedules:
    """Scrapes, batches and crawls that start again and again."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(
        self, request: types.ScheduledJobRequest, *, idempotency_key: Optional[str] = None
    ) -> types.ScheduledJob:
        call = Call("POST", "/api/v1/schedules/", body=request, repeat="key")
        return cast(types.ScheduledJob, self._transport.json(call, idempotency_key=idempotency_key))

    def list(self, query: Optional[types.ListSchedulesQuery] = None) -> Pages[types.ScheduledJob]:
        return _list(self._transport, "/api/v1/schedules/", query or {})

    def get(self, id: str) -> types.ScheduledJob:
        return self._schedule(Call("GET", id_path("schedules", id)))

    def change(self, id: str, change: types.ScheduledJobChange) -> types.ScheduledJob:
        return self._schedule(Call("PATCH", id_path("schedules", id), body=change))

    def delete(self, id: str) -> None:
        """Deletes the schedule; the jobs of its runs stay."""
        self._transport.json(Call("DELETE", id_path("schedules", id)))

    def pause(self, id: str) -> types.ScheduledJob:
        return self._schedule(Call("POST", id_path("schedules", id, "pause/")))

    def resume(self, id: str) -> types.ScheduledJob:
        return self._schedule(Call("POST", id_path("schedules", id, "resume/")))

    def run(self, id: str) -> int:
        """Begins a run now; the due times stay. Returns the number of the run."""
        return cast(int, (self._transport.json(Call("POST", id_path("schedules", id, "run/"))))["n"])

    def runs(
        self, id: str, query: Optional[types.ListScheduleRunsQuery] = None
    ) -> Pages[types.ScheduledJobRun]:
        """Newest first, with those that were missed."""
        return _list(self._transport, id_path("schedules", id, "runs/"), query or {})

    def _schedule(self, call: Call) -> types.ScheduledJob:
        return cast(types.ScheduledJob, self._transport.json(call))


class Webhooks:
    """Deliveries of webhooks."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self, query: Optional[types.ListWebhookDeliveriesQuery] = None) -> Pages[types.WebhookDelivery]:
        """Deliveries of the last 30 days, newest first."""
        return _list(self._transport, "/api/v1/webhooks/", query or {})

    def redeliver(self, id: str) -> types.WebhookDelivery:
        call = Call("POST", id_path("webhooks", id, "redeliver/"))
        return cast(types.WebhookDelivery, self._transport.json(call))

    def test(self, webhook: types.Webhook) -> types.WebhookDelivery:
        """Sends one message of the type ``webhook.test``."""
        call = Call("POST", "/api/v1/webhooks/test/", body=webhook)
        return cast(types.WebhookDelivery, self._transport.json(call))


class AsyncChannels:
    """Places where people are told: Slack, e-mail and webhooks."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, request: types.ChannelRequest) -> types.Channel:
        return self._channel(Call("POST", "/api/v1/channels/", body=request))

    def list(self, query: Optional[types.ListChannelsQuery] = None) -> Pages[types.Channel]:
        """Newest first."""
        return _list(self._transport, "/api/v1/channels/", query or {})

    def get(self, id: str) -> types.Channel:
        return self._channel(Call("GET", id_path("channels", id)))

    def change(self, id: str, change: types.ChannelChange) -> types.Channel:
        return self._channel(Call("PATCH", id_path("channels", id), body=change))

    def delete(self, id: str, query: Optional[types.DeleteChannelQuery] = None) -> None:
        """Deletes a channel that nothing uses; with ``detach`` ``"1"`` also from what uses it."""
        self._transport.json(Call("DELETE", id_path("channels", id), query or {}))

    def test(self, id: str) -> types.ChannelTestResult:
        """Sends a message at once."""
        call = Call("POST", id_path("channels", id, "test/"))
        return cast(types.ChannelTestResult, self._transport.json(call))

    def resume(self, id: str) -> types.Channel:
        """Sends again by a paused channel."""
        return self._channel(Call("POST", id_path("channels", id, "resume/")))

    def _channel(self, call: Call) -> types.Channel:
        return cast(types.Channel, self._transport.json(call))


class AsyncProfiles:
    """States of users at sites: cookies and storage that scrapes are logged in with."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, request: types.ProfileCreate) -> types.Profile:
        return self._profile(Call("POST", "/api/v1/profiles/", body=request))

    def list(self, query: Optional[types.ListProfilesQuery] = None) -> Pages[types.Profile]:
        """Your own and those that others share, the newest first."""
        return _list(self._transport, "/api/v1/profiles/", query or {})

    def get(self, name: str) -> types.Profile:
        return self._profile(Call("GET", id_path("profiles", name)))

    def change(self, name: str, change: types.ProfilePatch) -> types.Profile:
        """New cookies or a new state replace all that were kept."""
        return self._profile(Call("PATCH", id_path("profiles", name), body=change))

    def delete(self, name: str, query: Optional[types.DeleteProfileQuery] = None) -> None:
        self._transport.json(Call("DELETE", id_path("profiles", name), query or {}))

    def export(self, name: str) -> types.ExportedProfile:
        """The profile with its values, for its owner; needs the scope ``profiles_export``."""
        call = Call("GET", id_path("profiles", name, "export/"))
        return cast(types.ExportedProfile, self._transport.json(call))

    def _profile(self, call: Call) -> types.Profile:
        return cast(types.Profile, self._transport.json(call))


class AsyncDatasets:
    """Tables of results over runs."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def create(self, request: types.DatasetRequest) -> types.Dataset:
        return self._dataset(Call("POST", "/api/v1/datasets/", body=request))

    def list(self, query: Optional[types.ListDatasetsQuery] = None) -> Pages[types.Dataset]:
        """Newest first."""
        return _list(self._transport, "/api/v1/datasets/", query or {})

    def get(self, id: str) -> types.Dataset:
        return self._dataset(Call("GET", id_path("datasets", id)))

    def change(self, id: str, change: types.DatasetChange) -> types.Dataset:
        return self._dataset(Call("PATCH", id_path("datasets", id), body=change))

    def delete(self, id: str) -> None:
        """Deletes the dataset; jobs and schedules stay."""
        self._transport.json(Call("DELETE", id_path("datasets", id)))

    def import_job(self, id: str, job_id: str) -> int:
        """Adds the results of a job that has ended, in the background. Returns the number of the run."""
        call = Call("POST", id_path("datasets", id, "import/"), body={"job_id": job_id})
        return cast(int, (self._transport.json(call))["n"])

    def runs(self, id: str, query: Optional[types.ListDatasetRunsQuery] = None) -> Pages[types.DatasetRun]:
        """Newest first."""
        return _list(self._transport, id_path("datasets", id, "runs/"), query or {})

    def rows(self, id: str, query: Optional[types.ListDatasetRowsQuery] = None) -> Pages[types.DatasetRow]:
        """The rows, or with ``diff_to`` what has changed since a run."""
        return _list(self._transport, id_path("datasets", id, "rows/"), query or {})

    def export(self, id: str, query: Optional[types.ExportDatasetQuery] = None) -> bytes:
        """The table as a file, whole in memory."""
        call = Call("GET", id_path("datasets", id, "export/"), query or {}, headers={"accept": "*/*"})
        return self._transport.content(call)

    def _dataset(self, call: Call) -> types.Dataset:
        return cast(types.Dataset, self._transport.json(call))


class AsyncExports:
    """Files of the results of jobs."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def send(self, job_id: str, request: types.ExportRequest) -> types.Export:
        """Sends the results of a job to a target, in the background."""
        call = Call("POST", id_path("jobs", job_id, "export/"), body=request)
        return cast(types.Export, self._transport.json(call))

    def list(self, job_id: str) -> types.ExportList:
        """Those of a job, newest first."""
        return cast(types.ExportList, self._transport.json(Call("GET", id_path("jobs", job_id, "exports/"))))

    def get(self, id: str) -> types.Export:
        return cast(types.Export, self._transport.json(Call("GET", id_path("exports", id))))

    def download(self, job_id: str, query: Optional[types.ExportJobQuery] = None) -> bytes:
        """The results of a job as a file, whole in memory. Large ones are better read by ``jobs.results``."""
        call = Call("GET", id_path("jobs", job_id, "export/"), query or {}, headers={"accept": "*/*"})
        return self._transport.content(call)


class AsyncPrices:
    """What scrapes cost. Only administrators may change it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self) -> types.PricesView:
        return cast(types.PricesView, self._transport.json(Call("GET", "/api/v1/prices/")))

    def set(self, prices: types.Prices) -> types.PricesView:
        return cast(types.PricesView, self._transport.json(Call("PUT", "/api/v1/prices/", body=prices)))

    def delete(self) -> None:
        """From now on nothing has a price."""
        self._transport.json(Call("DELETE", "/api/v1/prices/"))


class AsyncSiteLimits:
    """What a site allows. Only administrators may change it."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def get(self, host: str) -> types.SiteLimits:
        return cast(types.SiteLimits, self._transport.json(Call("GET", id_path("sites", host, "limits/"))))

    def change(self, host: str, change: types.SiteLimitsPatch) -> types.SiteLimits:
        """What is left out stays; None removes a limit."""
        call = Call("PATCH", id_path("sites", host, "limits/"), body=change)
        return cast(types.SiteLimits, self._transport.json(call))


class Sluice:
    """A client of the Sluice API. All methods raise ``SluiceError``.

    :param base_url: where the service is, such as ``https://sluice.example.com``; may have a path
    :param timeout: time limit of a call with all its tries, in seconds. None: the ``timeout_ms`` of the request and 15 s;
        75 s for calls without one
    :param max_retries: how often a call is tried again
    :param http_client: an ``httpx`` client of your own, which stays open; None: one is made
    """

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        timeout: Optional[float] = None,
        max_retries: int = 2,
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        self._transport = Transport(base_url, api_key, timeout, max_retries, http_client)
        self.scrapes = Scrapes(self._transport)
        self.jobs = Jobs(self._transport)
        self.monitors = Monitors(self._transport)
        self.schedules = Schedules(self._transport)
        self.webhooks = Webhooks(self._transport)
        self.channels = AsyncChannels(self._transport)
        self.profiles = AsyncProfiles(self._transport)
        self.datasets = AsyncDatasets(self._transport)
        self.exports = AsyncExports(self._transport)
        self.prices = AsyncPrices(self._transport)
        self.site_limits = AsyncSiteLimits(self._transport)

    def __enter__(self) -> Sluice:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections."""
        self._transport.close()

    def scrape(
        self, request: types.ScrapeRequest, *, timeout: Optional[float] = None, idempotency_key: Optional[str] = None
    ) -> types.ScrapeResponse:
        """Fetches a page. A page with status 404 is a result like any other; look at ``router.outcome``.

        :raises SluiceError: if there is no page; its ``scrape`` has what is known nevertheless
        """
        call = Call("POST", "/api/v1/scrape/", body=request, repeat="key")
        answer = self._transport.json(call, timeout=timeout, idempotency_key=idempotency_key)
        return cast(types.ScrapeResponse, answer)

    def start_scrape(
        self, request: types.ScrapeRequest, *, idempotency_key: Optional[str] = None
    ) -> types.AsyncState:
        """Starts a scrape that goes on without a connection; ``scrapes.wait(id)`` gives its result."""
        call = Call("POST", "/api/v1/scrape/", body=request, headers={"prefer": "respond-async"}, repeat="key")
        return cast(types.AsyncState, self._transport.json(call, idempotency_key=idempotency_key))

    def read(self, id: str, request: types.ReadingRequest) -> types.ReadingResult:
        """Reads a stored scrape again, without fetching it. The same as ``scrapes.read``."""
        return self.scrapes.read(id, request)

    def batch(
        self, request: types.BatchRequest, *, idempotency_key: Optional[str] = None
    ) -> types.JobAccepted:
        """Starts a job that scrapes many pages; ``jobs.results(id)`` gives its results."""
        call = Call("POST", "/api/v1/batches/", body=request, repeat="key")
        return cast(types.JobAccepted, self._transport.json(call, idempotency_key=idempotency_key))

    def crawl(
        self, request: types.CrawlRequest, *, idempotency_key: Optional[str] = None
    ) -> types.JobAccepted:
        """Starts a job that visits the pages of a site; ``jobs.results(id)`` gives its results."""
        call = Call("POST", "/api/v1/crawls/", body=request, repeat="key")
        return cast(types.JobAccepted, self._transport.json(call, idempotency_key=idempotency_key))

    def map(self, request: types.MapRequest, *, timeout: Optional[float] = None) -> types.MapResult:
        """Lists the URLs of a site."""
        call = Call("POST", "/api/v1/maps/", body=request, repeat="safe")
        return cast(types.MapResult, self._transport.json(call, timeout=timeout))

    def import_request(self, request: types.ImportRequest) -> types.ImportResult:
        """Translates a curl command or an entry of a HAR file into a scrape request. Nothing is fetched."""
        call = Call("POST", "/api/v1/import/", body=request, repeat="safe")
        return cast(types.ImportResult, self._transport.json(call))

    def request(
        self, method: str, path: str, *, query: Optional[Mapping[str, Any]] = None, body: Any = None
    ) -> Any:
        """Calls any endpoint: ``request("GET", "/api/v1/stats/", query={"window": "24h"})``."""
        return self._transport.json(Call(method, path, query or {}, body))
