#!/usr/bin/env python3
"""A worker in Python: takes messages of an inbox over HTTP, handles them, says what became of them.

    TURNO_TOKEN=... python3 worker.py orders          # a token with the role producer
    TURNO_TOKEN=... python3 worker.py orders --once   # ends when nothing is waiting
"""
import http.client
import json
import os
import sys
import threading
import time
import urllib.error
import urllib.request

URL = os.environ.get("TURNO_URL", "http://127.0.0.1:8080")
TOKEN = os.environ["TURNO_TOKEN"]


def call(inbox, what, body):
    request = urllib.request.Request(
        f"{URL}/api/v1/inboxes/{inbox}/{what}?worker=python",
        json.dumps(body).encode(),
        {"Authorization": "Bearer " + TOKEN, "Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def handle(message):
    """Yours. Raise to have it tried again; message["key"] is the same at every try, for systems that drop repetitions."""
    print("handling", message["id"], "attempt", message["attempt"], message["body"], flush=True)


class Renewing:
    """Says every 20 seconds that the message is still being worked on."""

    def __init__(self, inbox, claim):
        self.inbox, self.claim, self.over = inbox, claim, threading.Event()

    def __enter__(self):
        threading.Thread(target=self.renew, daemon=True).start()

    def __exit__(self, *failure):
        self.over.set()

    def renew(self):
        while not self.over.wait(20):
            try:
                call(self.inbox, "renew", [self.claim])
            except OSError:
                pass  # what matters is whether the finish is accepted


def work(inbox, message):
    claim = {"id": message["id"], "fence": message["fence"]}
    try:
        with Renewing(inbox, claim):
            handle(message)
        result = {"result": "done"}
    except Exception as failure:
        result = {"result": "retry", "error": repr(failure)}
    finish(inbox, claim | result)


def finish(inbox, item):
    """Says it for a minute, if the server is away or somebody holds the message's ordering key: the same again is harmless."""
    for tries_left in reversed(range(60)):
        try:
            call(inbox, "finish", [item])
            return
        except (OSError, http.client.HTTPException) as failure:
            status = failure.code if isinstance(failure, urllib.error.HTTPError) else 503
            if status == 409:
                print(item["id"], "is not ours any more", flush=True)
                return
            if status < 500 or not tries_left:
                raise
            print(failure, file=sys.stderr, flush=True)
            time.sleep(1)


def main(inbox, once):
    while True:
        try:
            taken = call(inbox, "take", {"limit": 1, "wait": "PT1S" if once else "PT20S"})["items"]
            for message in taken:
                work(inbox, message)
        except (OSError, http.client.HTTPException) as failure:
            # The server is away, or cannot help now. What it was not told as finished comes again when its claim lapses.
            print(failure, file=sys.stderr, flush=True)
            if once:
                sys.exit(1)
            time.sleep(2)
            continue
        if once and not taken:
            return


if __name__ == "__main__":
    main(sys.argv[1], "--once" in sys.argv)
