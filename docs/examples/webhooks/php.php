<?php
// A webhook receiver for PHP 8: serve this file over HTTPS. Create the webhook while WEBHOOK_SECRET is not set in the
// server's environment (the secret is in the answer), then set it.

const TOLERANCE_SECONDS = 300;

function verify(string $secret, array $headers, string $body): bool
{
    $id = $headers['webhook-id'] ?? '';
    $timestamp = $headers['webhook-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    $key = hash('sha256', $secret, true);
    $expected = base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach (explode(' ', $headers['webhook-signature'] ?? '') as $entry) {
        [$version, $signature] = array_pad(explode(',', $entry, 2), 2, '');
        if ($version === 'v1' && hash_equals($expected, $signature)) {
            return true;
        }
    }
    return false;
}

$headers = [
    'webhook-id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
    'webhook-timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
    'webhook-signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
];
$body = file_get_contents('php://input'); // The raw bytes, not $_POST.
$secret = getenv('WEBHOOK_SECRET') ?: '';
// Before there is a secret, the probe of the creation is all that is taken; it carries nothing.
if ($secret === '' && str_contains($body, '"type":"webhook.probe"')) {
    http_response_code(204);
    exit;
}
if ($secret === '' || !verify($secret, $headers, $body)) {
    http_response_code(401);
    exit;
}
http_response_code(204);
$event = json_decode($body, true);
// Deliveries are at least once: insert $event['id'] into a unique column and stop where it is there already.
error_log("{$event['type']} {$event['id']}");
