"""The contender scrapy: a spider that follows all links and writes each page and its record to disk.

Usage: crawl-scrapy.py URL FOLDER CONCURRENCY. Prints "ready", crawls, prints "done PAGES", and ends when stdin is closed.
"""

import hashlib
import json
import os
import sys

from scrapy import Spider
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

START, FOLDER, CONCURRENCY = sys.argv[1], sys.argv[2], int(sys.argv[3])
RECORDS = open(os.path.join(FOLDER, "records.jsonl"), "w", encoding="utf-8")
pages = 0


class Site(Spider):
    name = "site"
    start_urls = [START]
    links = LinkExtractor()

    def parse(self, response):
        global pages
        pages += 1
        name = hashlib.sha256(response.url.encode()).hexdigest()[:32]
        with open(os.path.join(FOLDER, name), "wb") as file:
            file.write(response.body)
        headers = {key.decode(): values[0].decode() for key, values in response.headers.items()}
        record = {"url": response.url, "status": response.status, "headers": headers, "content": name}
        RECORDS.write(json.dumps(record) + "\n")
        for link in self.links.extract_links(response):
            yield response.follow(link, self.parse)


print("ready", flush=True)
sys.stdin.readline()
process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": CONCURRENCY,
        "CONCURRENT_REQUESTS_PER_DOMAIN": CONCURRENCY,
        "JOBDIR": os.path.join(FOLDER, "job"),
        "LOG_LEVEL": "ERROR",
        "ROBOTSTXT_OBEY": True,
        "TELNETCONSOLE_ENABLED": False,
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }
)
process.crawl(Site)
process.start()
RECORDS.close()
print(f"done {pages}", flush=True)
sys.stdin.readline()
