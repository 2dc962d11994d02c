import type { ExactJsonObject } from './json.ts';
import { jsonText } from './quoting.ts';
import { SCRAPE, type Snippet, whole } from './snippet.ts';

/** Programs in languages without a client of ours: the body as JSON text, sent by what the language itself has. */

/** Without the byte order mark, which Go refuses in source; control characters and lone surrogates are escapes already. */
const bodyText = (request: ExactJsonObject): string => jsonText(request).replaceAll('\ufeff', '\\ufeff');

/** The request as a program in Go. A raw string holds anything but its own quote. */
export function goProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  const body = bodyText(request).replaceAll('`', '` + "`" + `');
  return whole(`package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

func main() {
	body := \`${body}\`
	request, err := http.NewRequest("POST", ${JSON.stringify(baseUrl + path)}, strings.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Api-Key "+os.Getenv("SLUICE_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(answer))
}
`);
}

/** The request as a script in PHP, with the extension curl. No line of JSON begins with the name that ends the text. */
export function phpProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  return whole(`<?php
$body = <<<'JSON'
${bodyText(request)}
JSON;
$call = curl_init(${singleQuoted(baseUrl + path)});
curl_setopt_array($call, [
    CURLOPT_POSTFIELDS => $body,
    CURLOPT_HTTPHEADER => [
        'Authorization: Api-Key ' . getenv('SLUICE_KEY'),
        'Content-Type: application/json',
    ],
    CURLOPT_RETURNTRANSFER => true,
]);
$answer = curl_exec($call);
if ($answer === false) {
    throw new RuntimeException(curl_error($call));
}
echo $answer, "\\n";
`);
}

/** The request as a script in Ruby. */
export function rubyProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  return whole(`require 'net/http'

body = <<'JSON'
${bodyText(request)}
JSON
answer = Net::HTTP.post(
  URI(${singleQuoted(baseUrl + path)}),
  body,
  'Authorization' => "Api-Key #{ENV.fetch('SLUICE_KEY')}",
  'Content-Type' => 'application/json'
)
puts answer.body
`);
}

/** The request as a program in Java 15 or later. The compiler may read the file in any encoding, so the text is ASCII. */
export function javaProgram(baseUrl: string, request: ExactJsonObject, path = SCRAPE): Snippet {
  const body = bodyText(request)
    .replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('\\', '\\\\')
    .replaceAll('"""', '""\\"')
    .replaceAll('\n', '\n            ');
  return whole(`import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

public class Example {
    public static void main(String[] arguments) throws Exception {
        String body = """
            ${body}
            """;
        HttpRequest request = HttpRequest.newBuilder(URI.create(${JSON.stringify(baseUrl + path)}))
            .header("Authorization", "Api-Key " + System.getenv("SLUICE_KEY"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        HttpResponse<String> answer = HttpClient.newHttpClient()
            .send(request, HttpResponse.BodyHandlers.ofString());
        System.out.println(answer.body());
    }
}
`);
}

/** A string of PHP or Ruby in which only the quote and the backslash mean something. */
const singleQuoted = (text: string): string => `'${text.replaceAll(/['\\]/g, '\\$&')}'`;
