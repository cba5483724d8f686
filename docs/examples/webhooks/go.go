// A webhook receiver for Go without dependencies: WEBHOOK_SECRET=whsec_… PORT=3000 go run go.go
// Put it behind a TLS proxy: webhooks are delivered to HTTPS only. Start it without WEBHOOK_SECRET to create the webhook
// (the secret is in the answer), then again with it.
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

const tolerance = 5 * time.Minute

func verify(secret string, header http.Header, body []byte) bool {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return false
	}
	key := sha256.Sum256([]byte(secret))
	mac := hmac.New(sha256.New, key[:])
	fmt.Fprintf(mac, "%s.%s.", id, timestamp)
	mac.Write(body)
	expected := mac.Sum(nil)
	for _, entry := range strings.Fields(header.Get("webhook-signature")) {
		version, signature, _ := strings.Cut(entry, ",")
		given, err := base64.StdEncoding.DecodeString(signature)
		if version == "v1" && err == nil && hmac.Equal(given, expected) {
			return true
		}
	}
	return false
}

func main() {
	secret := os.Getenv("WEBHOOK_SECRET")
	var seen sync.Map // In production: a unique column in your database.
	http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 1<<22)) // The raw bytes.
		// Before there is a secret, the probe of the creation is all that is taken; it carries nothing.
		if err == nil && secret == "" && bytes.Contains(body, []byte(`"type":"webhook.probe"`)) {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if err != nil || secret == "" || !verify(secret, r.Header, body) {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		var event struct{ ID, Type string }
		if json.Unmarshal(body, &event) != nil {
			return
		}
		if _, again := seen.LoadOrStore(event.ID, true); again {
			return // Deliveries are at least once.
		}
		log.Println(event.Type, event.ID)
	})
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+port, nil))
}
