<?php
// A worker in PHP, without extensions: takes messages of an inbox over HTTP, handles them, says what became of them.
//
//   TURNO_TOKEN=... php worker.php orders          (a token with the role producer)
//   TURNO_TOKEN=... php worker.php orders --once   (ends when nothing is waiting)

declare(strict_types=1);

$url = getenv('TURNO_URL') ?: 'http://127.0.0.1:8080';
$token = getenv('TURNO_TOKEN') ?: exit("Set TURNO_TOKEN.\n");
$inbox = $argv[1] ?? exit("Which inbox? php worker.php INBOX [--once]\n");
$once = in_array('--once', $argv, true);

/** @return array{int, array} the status and what was answered */
function call(string $what, array $body): array
{
    global $url, $token, $inbox;
    $answer = file_get_contents("$url/api/v1/inboxes/$inbox/$what?worker=php", false, stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ["Authorization: Bearer $token", 'Content-Type: application/json'],
        'content' => json_encode($body, JSON_THROW_ON_ERROR | JSON_INVALID_UTF8_SUBSTITUTE),
        'timeout' => 60,
        'ignore_errors' => true,
    ]]));
    if ($answer === false) {
        throw new RuntimeException("no answer from $url");
    }
    preg_match('~^HTTP/\S+ (\d+)~', $http_response_header[0], $status);
    $decoded = json_decode($answer, true); // a proxy whose server is away answers with a page
    return [(int) $status[1], is_array($decoded) ? $decoded : []];
}

/** Yours. Throw to have it tried again; $message['key'] is the same at every try, for systems that drop repetitions. */
function handle(array $message): void
{
    echo "handling {$message['id']} attempt {$message['attempt']} {$message['body']}\n";
}

/** Says it for a minute, if the server is away or somebody holds the message's ordering key: the same again is harmless. */
function finish(array $message, array $result): void
{
    for ($triesLeft = 59; ; $triesLeft--) {
        try {
            [$status, $answer] = call('finish', [['id' => $message['id'], 'fence' => $message['fence']] + $result]);
        } catch (RuntimeException $e) {
            [$status, $answer] = [503, ['detail' => $e->getMessage()]];
        }
        if ($status === 200) {
            return;
        }
        if ($status === 409) {
            echo "{$message['id']} is not ours any more\n";
            return;
        }
        $why = $answer['detail'] ?? "status $status";
        if ($status < 500 || $triesLeft === 0) {
            throw new RuntimeException($why);
        }
        fwrite(STDERR, "$why\n");
        sleep(1);
    }
}

function work(array $message): void
{
    try {
        handle($message);
        $result = ['result' => 'done'];
    } catch (Throwable $e) {
        $result = ['result' => 'retry', 'error' => $e->getMessage()];
    }
    finish($message, $result);
}

while (true) {
    try {
        [$status, $answer] = call('take', ['limit' => 1, 'wait' => $once ? 'PT1S' : 'PT20S']);
        if ($status !== 200 || !isset($answer['items'])) {
            throw new RuntimeException($answer['detail'] ?? "status $status");
        }
        foreach ($answer['items'] as $message) {
            work($message);
        }
    } catch (RuntimeException $e) {
        // The server is away, or cannot help now. What it was not told as finished comes again when its claim lapses.
        fwrite(STDERR, $e->getMessage() . "\n");
        if ($once) {
            exit(1);
        }
        sleep(2);
        continue;
    }
    if ($once && $answer['items'] === []) {
        exit(0);
    }
}
