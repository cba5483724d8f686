// The telephones' signalling over one TLS connection, and audio as SRTP: AES_CM_128_HMAC_SHA1_80 (RFC 3711) with keys in SDP (RFC
// 4568). OpenSSL does the arithmetic. The server's certificate is not checked: it is the bench's own.
#include <arpa/inet.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define TRANSPORT "TLS"
#define CONTACT_PARAMETER ";transport=tls"
#define PROFILE "RTP/SAVP"

enum { MASTER = 30, TAG = 10, RTP_HEADER = 12 };

/** One direction of one call. */
struct srtp {
  EVP_CIPHER_CTX *cipher;
  EVP_MAC_CTX *mac;
  uint8_t salt[14];
  uint32_t rollover;
  uint16_t newest;
  int began;
};
struct keys { struct srtp sends, receives; };

static void crypto_needs(int worked, const char *what) {
  if (worked) return;
  fprintf(stderr, "OpenSSL: %s failed\n", what);
  exit(1);
}

/** `master`: key and salt. A context is used again for the next key. */
static void srtp_begin(struct srtp *srtp, const uint8_t master[MASTER]) {
  static const struct { uint8_t label, length; } parts[] = {{0, 16}, {1, 20}, {2, 14}};
  static EVP_MAC *hmac;
  uint8_t keys[3][32], zero[32] = {0};
  char digest[] = "SHA1";
  const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string("digest", digest, 0), OSSL_PARAM_construct_end()};
  if (!hmac) hmac = EVP_MAC_fetch(0, "HMAC", 0);
  if (!srtp->cipher) srtp->cipher = EVP_CIPHER_CTX_new(), srtp->mac = EVP_MAC_CTX_new(hmac);
  for (int n = 0; n < 3; n++) {
    uint8_t counter[16] = {0};
    int length;
    memcpy(counter, master + 16, 14);
    counter[7] ^= parts[n].label;
    crypto_needs(EVP_EncryptInit_ex(srtp->cipher, EVP_aes_128_ctr(), 0, master, counter), "key derivation");
    EVP_EncryptUpdate(srtp->cipher, keys[n], &length, zero, parts[n].length);
  }
  crypto_needs(EVP_EncryptInit_ex(srtp->cipher, EVP_aes_128_ctr(), 0, keys[0], zero), "AES");
  crypto_needs(EVP_MAC_init(srtp->mac, keys[1], 20, params), "HMAC");
  memcpy(srtp->salt, keys[2], 14);
  srtp->rollover = srtp->began = 0;
}

static void srtp_crypt(struct srtp *srtp, uint8_t *packet, int length, uint32_t rollover) {
  uint8_t counter[16] = {0};
  int done;
  memcpy(counter, srtp->salt, 14);
  for (int n = 0; n < 4; n++) counter[4 + n] ^= packet[8 + n];
  for (int n = 0; n < 4; n++) counter[8 + n] ^= rollover >> (24 - 8 * n);
  counter[12] ^= packet[2], counter[13] ^= packet[3];
  EVP_EncryptInit_ex(srtp->cipher, 0, 0, 0, counter);
  EVP_EncryptUpdate(srtp->cipher, packet + RTP_HEADER, &done, packet + RTP_HEADER, length - RTP_HEADER);
}

static void srtp_tag(struct srtp *srtp, const uint8_t *packet, int length, uint32_t rollover, uint8_t tag[32]) {
  uint32_t index = htonl(rollover);
  size_t done;
  EVP_MAC_init(srtp->mac, 0, 0, 0);
  EVP_MAC_update(srtp->mac, packet, length);
  EVP_MAC_update(srtp->mac, (void *)&index, 4);
  EVP_MAC_final(srtp->mac, tag, &done, 32);
}

/** In place; `packet` has room for the tag. Returns the new length. */
static int srtp_protect(struct srtp *srtp, uint8_t *packet, int length) {
  uint8_t tag[32];
  uint16_t sequence = packet[2] << 8 | packet[3];
  if (srtp->began && sequence < srtp->newest) srtp->rollover++;
  srtp->began = 1;
  srtp->newest = sequence;
  srtp_crypt(srtp, packet, length, srtp->rollover);
  srtp_tag(srtp, packet, length, srtp->rollover, tag);
  memcpy(packet + length, tag, TAG);
  return length + TAG;
}

/** In place. Returns the length without the tag, or -1: not what the other side sent. */
static int srtp_open(struct srtp *srtp, uint8_t *packet, int length) {
  uint8_t tag[32];
  // Audio may come before the answer that has the key.
  if (!srtp->mac || length < RTP_HEADER + TAG) return -1;
  uint16_t sequence = packet[2] << 8 | packet[3];
  if (!srtp->began) srtp->newest = sequence;
  int16_t distance = sequence - srtp->newest;
  // The rollover counter that places the packet nearest to the newest one (RFC 3711, appendix A).
  uint32_t rollover = srtp->rollover + (distance > 0 && sequence < srtp->newest) - (distance < 0 && sequence > srtp->newest);
  length -= TAG;
  srtp_tag(srtp, packet, length, rollover, tag);
  if (memcmp(tag, packet + length, TAG) != 0) return -1;
  if (!srtp->began || distance > 0) srtp->newest = sequence, srtp->rollover = rollover;
  srtp->began = 1;
  srtp_crypt(srtp, packet, length, rollover);
  return length;
}

/** Key and salt of the `a=crypto` line of an SDP. False where there is none. */
static int srtp_key_of(const char *sdp, uint8_t master[MASTER]) {
  const char *line = strstr(sdp, "AES_CM_128_HMAC_SHA1_80 inline:");
  // 40 characters of base64 are 30 bytes, without padding.
  return line && EVP_DecodeBlock(master, (const uint8_t *)strchr(line, ':') + 1, 40) == MASTER;
}

static uint8_t own_master[MASTER];

/** The line of the SDP that offers it: one key for all telephones, whose SSRCs differ. */
static const char *keys_offered(void) {
  static char line[128], coded[64];
  if (*line) return line;
  RAND_bytes(own_master, MASTER);
  EVP_EncodeBlock((uint8_t *)coded, own_master, MASTER);
  snprintf(line, sizeof line, "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:%s\r\n", coded);
  return line;
}

/** False: the answer has no key. */
static int take_keys(struct keys *keys, const char *sdp) {
  uint8_t theirs[MASTER];
  if (!srtp_key_of(sdp, theirs)) return 0;
  srtp_begin(&keys->sends, own_master);
  srtp_begin(&keys->receives, theirs);
  return 1;
}

static int protect(struct keys *keys, uint8_t *packet, int length) { return srtp_protect(&keys->sends, packet, length); }
static int unprotect(struct keys *keys, uint8_t *packet, int length) { return srtp_open(&keys->receives, packet, length); }

static SSL *tls;

/** Returns the connection's socket, its own port in `port`. */
static int sip_open(const struct sockaddr_in *server, int *port) {
  struct sockaddr_in here;
  socklen_t size = sizeof here;
  int made = socket(AF_INET, SOCK_STREAM, 0);
  crypto_needs(made >= 0 && connect(made, (const void *)server, sizeof *server) == 0, "connecting");
  getsockname(made, (void *)&here, &size);
  *port = ntohs(here.sin_port);
  tls = SSL_new(SSL_CTX_new(TLS_client_method()));
  SSL_set_fd(tls, made);
  crypto_needs(SSL_connect(tls) == 1, "TLS");
  fcntl(made, F_SETFL, O_NONBLOCK);
  SSL_set_mode(tls, SSL_MODE_AUTO_RETRY);
  return made;
}

static void sip_send(const char *text, int length) {
  // Signalling is little: what a socket's buffer does not take means that the server no longer reads.
  crypto_needs(SSL_write(tls, text, length) == length, "sending");
}

/** The next whole message, or 0. Messages are told apart by their Content-Length (RFC 3261, 18.3). */
static int sip_receive(char *text, int size) {
  static char stream[1 << 16];
  static int held;
  for (int got; held < (int)sizeof stream - 1 && (got = SSL_read(tls, stream + held, sizeof stream - 1 - held)) > 0;) held += got;
  stream[held] = 0;
  char *end = strstr(stream, "\r\n\r\n"), *length = strcasestr(stream, "\ncontent-length:");
  if (!end) return 0;
  int whole = end + 4 - stream + (length && length < end ? atoi(length + 16) : 0);
  if (whole > held) return 0;
  crypto_needs(whole < size, "reading a message");
  memcpy(text, stream, whole);
  memmove(stream, stream + whole, held -= whole);
  return whole;
}
