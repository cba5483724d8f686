// The telephones' signalling over UDP, and audio as it is. `phones-secure.h` has the same names.
#include <arpa/inet.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/socket.h>

#define TRANSPORT "UDP"
#define CONTACT_PARAMETER ""
#define PROFILE "RTP/AVP"

struct keys { char none; };

static struct sockaddr_in sip_server;
static int sip_socket;

static int udp_socket(int *port);

static int sip_open(const struct sockaddr_in *server, int *port) {
  sip_server = *server;
  return sip_socket = udp_socket(port);
}

static void sip_send(const char *text, int length) {
  sendto(sip_socket, text, length, 0, (void *)&sip_server, sizeof sip_server);
}

static int sip_receive(char *text, int size) { return recv(sip_socket, text, size, 0); }

static const char *keys_offered(void) { return ""; }
static int take_keys(struct keys *keys, const char *sdp) { return keys && sdp; }
static int protect(struct keys *keys, uint8_t *packet, int length) { return keys && packet ? length : 0; }
static int unprotect(struct keys *keys, uint8_t *packet, int length) { return keys && packet ? length : -1; }
