#!/bin/sh
# Verifies one delivery with openssl alone. The body comes on standard input, byte for byte as it was received:
#   WEBHOOK_SECRET=whsec_… sh verify.sh "$WEBHOOK_ID" "$WEBHOOK_TIMESTAMP" "$WEBHOOK_SIGNATURE" < body.json
# Exit 0: genuine and fresh. Exit 1: not.
set -eu
id=$1 timestamp=$2 signatures=$3
case $timestamp in '' | *[!0-9]*) exit 1 ;; esac
age=$(($(date +%s) - timestamp))
[ "$age" -le 300 ] && [ "$age" -ge -300 ] || exit 1
key=$(printf %s "$WEBHOOK_SECRET" | openssl dgst -sha256 -r | cut -d ' ' -f 1)
expected=$({ printf '%s.%s.' "$id" "$timestamp"; cat; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
for entry in $signatures; do
  [ "$entry" = "v1,$expected" ] && exit 0
done
exit 1
