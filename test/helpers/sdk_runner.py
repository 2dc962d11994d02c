"""Makes the calls of test/contracts/sdk.ts with the Python SDK: a call in each line of stdin, its outcome in a line of stdout.

Usage: sdk_runner.py sync|async
"""

import asyncio
import base64
import json
import re
import sys

from sluice_client import AsyncSluice, Sluice, SluiceError, WebhookVerificationError, verify_webhook


def snake(name):
    return re.sub("[A-Z]", lambda letter: "_" + letter[0].lower(), name)


def keywords(options):
    """Options of TypeScript as keyword arguments; Python has its times in seconds."""
    named = {snake(name): value for name, value in options.items()}
    if "timeout_ms" in named:
        named["timeout"] = named.pop("timeout_ms") / 1000
    return named


def arguments(call):
    """The positional and the keyword arguments of a call. Python has some as keywords that TypeScript has in an object."""
    args, options = list(call.get("args", [])), keywords(call.get("options", {}))
    if call["method"] == "request":
        spec = dict(args[0])
        return [spec.pop("method"), spec.pop("path")], {**spec, **options}
    if call["method"] == "jobs.results" and len(args) > 1 and "follow" in args[1]:
        query = dict(args[1])
        return [args[0]], {"follow": query.pop("follow"), "query": query, **options}
    return args, options


def method_of(client, call):
    member = client
    for name in call["method"].split("."):
        member = getattr(member, snake(name))
    return member


def as_json(value):
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value


def run_sync(call):
    with Sluice(**keywords(call["client"])) as client:
        args, options = arguments(call)
        result = method_of(client, call)(*args, **options)
        if isinstance(result, (dict, list, bytes, int, str, type(None))):
            return as_json(result)
        items = []
        for item in result:
            items.append(item)
            if len(items) == call.get("take"):
                break
        return items


async def run_async(call):
    async with AsyncSluice(**keywords(call["client"])) as client:
        args, options = arguments(call)
        result = method_of(client, call)(*args, **options)
        if asyncio.iscoroutine(result):
            task = asyncio.ensure_future(result)
            if "abortAfterMs" in call:
                asyncio.get_running_loop().call_later(call["abortAfterMs"] / 1000, task.cancel)
            return as_json(await task)
        items = []
        async for item in result:
            items.append(item)
            if len(items) == call.get("take"):
                break
        return items


def outcome(call, mode):
    try:
        if "verify" in call:
            return {"value": verify_webhook(*call["verify"])}
        return {"value": run_sync(call) if mode == "sync" else asyncio.run(run_async(call))}
    except SluiceError as error:
        return {
            "error": {
                "kind": "sluice",
                "code": error.code,
                "status": error.status,
                "retryable": error.retryable,
                "requestId": error.request_id,
                "pointers": [one["pointer"] for one in error.errors if "pointer" in one],
                "scrape": error.scrape,
                "message": str(error),
            }
        }
    except WebhookVerificationError as error:
        return {"error": {"kind": "webhook", "reason": error.reason, "message": str(error)}}
    except asyncio.CancelledError:
        return {"error": {"kind": "aborted", "message": "cancelled"}}


for line in sys.stdin:
    print(json.dumps(outcome(json.loads(line), sys.argv[1])), flush=True)
