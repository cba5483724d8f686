// Telephones for the bench. They place many SIP calls over UDP and talk on each in 20 ms packets of PCMU, in one thread
// that costs about 10 us a packet, so that the callers' own load is small. Arrival times are the kernel's time stamps
// (SO_TIMESTAMPNS), so the lateness of this process does not count.
//
//   phones HOST PORT USER LOSS_PERCENT BACKGROUND CLIP...      raw PCMU files; BACKGROUND fills the pauses
//
// Compiled with -DSECURE they signal over TLS and encrypt the audio.
//
// stdin:  begin COUNT GAP_MS   further calls, one each GAP_MS
//         end COUNT            the newest COUNT calls hang up
//         mark NAME            figures since the last mark, as one line of JSON on stdout
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
#ifdef SECURE
#include "phones-secure.h"
#else
#include "phones-plain.h"
#endif

enum { MAX_PHONES = 4096, FRAME = 160, MAX_CLIPS = 16, BINS = 4000, MAX_NOTED = 200000, FRAME_MS = 20 };
static const double BIN_MS = 0.05, SETTLED_MS = 2000, QUIET_MS = 500, PATIENCE_MS = 10000, ANSWER_MS = 10000;
// RMS of 60: the agent's silence is digital zero.
static const double SOUND = 60.0 * 60.0 * FRAME;

enum state { FREE, INVITING, UP, LEAVING, OVER };
enum talk { LISTENING, PAUSING, SPEAKING, WAITING };

struct phone {
  enum state state;
  enum talk talk;
  int rtp, port, attempts, turn, early;
  char to[256], target[256];
  struct sockaddr_in media;
  uint16_t sequence;
  uint32_t stamp;
  const struct clip *clip;
  size_t at, background_at;
  double sent_at, resend_at, answered_at, until, spoke_at, sound_at, packet_at;
  struct keys keys;
};
struct clip { uint8_t *codes; size_t length; };
struct histogram { uint32_t bins[BINS + 1]; };

static struct phone phones[MAX_PHONES];
static int placed, to_place, place_gap, sip, sip_port, timer, epoll;
static double place_at, loss;
static struct clip background, clips[MAX_CLIPS];
static int clip_count;
static struct sockaddr_in server;
static const char *user, *host;
static double square[256];
static struct histogram pace, start_pace;
static struct { long answered, refused, failed, dropped, silent, early, packets, late; } count;
static float turns[MAX_NOTED], answers[MAX_NOTED];
static int turn_count, answer_count;

static double now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void die(const char *what) {
  perror(what);
  exit(1);
}

static struct clip load(const char *path) {
  struct clip clip = {malloc(4 << 20), 0};
  int file = open(path, O_RDONLY);
  if (file < 0) die(path);
  ssize_t got = read(file, clip.codes, 4 << 20);
  if (got < FRAME) die(path);
  clip.length = got / FRAME * FRAME;
  close(file);
  return clip;
}

static int udp_socket(int *port) {
  int made = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0), on = 1;
  struct sockaddr_in here = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof here;
  if (made < 0 || bind(made, (void *)&here, size) < 0) die("socket");
  setsockopt(made, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  getsockname(made, (void *)&here, &size);
  *port = ntohs(here.sin_port);
  return made;
}

static void watch(int socket, uint64_t key) {
  struct epoll_event event = {.events = EPOLLIN, .data.u64 = key};
  if (epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event) < 0) die("epoll");
}

/** `cseq` is also the branch: an ACK of a 200 and a BYE have one of their own. */
static void request(struct phone *phone, const char *method, int cseq, const char *branch, const char *body) {
  char text[3000];
  long index = phone - phones;
  int length = snprintf(text, sizeof text,
    "%s %s SIP/2.0\r\nVia: SIP/2.0/" TRANSPORT " 127.0.0.1:%d;branch=z9hG4bK%s%ldx%d;rport\r\nMax-Forwards: 70\r\n"
    "From: <sip:+1555%07ld@127.0.0.1>;tag=t%ld\r\nTo: %s\r\nCall-ID: phones-%d-%ld\r\nCSeq: %d %s\r\n"
    "Contact: <sip:phone@127.0.0.1:%d" CONTACT_PARAMETER ">\r\n%sContent-Length: %zu\r\n\r\n%s",
    method, phone->target, sip_port, branch, index, getpid(), 100000 + index, index, phone->to, getpid(), index, cseq,
    strcmp(method, "ACK") == 0 ? "ACK" : method, sip_port, *body ? "Content-Type: application/sdp\r\n" : "", strlen(body), body);
  sip_send(text, length);
}

static void invite(struct phone *phone) {
  char sdp[500];
  snprintf(sdp, sizeof sdp,
    "v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio %d " PROFILE " 0 101\r\n"
    "a=rtpmap:0 PCMU/8000\r\na=rtpmap:101 telephone-event/8000\r\na=fmtp:101 0-16\r\na=ptime:20\r\na=sendrecv\r\n%s",
    phone->port, keys_offered());
  request(phone, "INVITE", 1, "i", sdp);
}

static void place(double now) {
  struct phone *phone = &phones[placed++];
  memset(phone, 0, sizeof *phone);
  phone->rtp = udp_socket(&phone->port);
  watch(phone->rtp, phone - phones);
  phone->state = INVITING;
  phone->sequence = rand();
  phone->stamp = rand();
  phone->background_at = rand() % (background.length / FRAME) * FRAME;
  snprintf(phone->to, sizeof phone->to, "<sip:%s@%s>", user, host);
  snprintf(phone->target, sizeof phone->target, "sip:%s@%s:%d", user, host, ntohs(server.sin_port));
  phone->sent_at = now;
  phone->resend_at = now + 500;
  invite(phone);
}

static void leave(struct phone *phone) {
  if (phone->rtp > 0) close(phone->rtp);
  phone->rtp = 0;
  phone->state = OVER;
}

static void hang_up(struct phone *phone, double now) {
  if (phone->state == INVITING || phone->state == FREE || phone->state == OVER) return;
  request(phone, "BYE", 2, "b", "");
  phone->state = LEAVING;
  phone->attempts = 0;
  phone->resend_at = now + 500;
}

/** Copies the value of a header; `name` begins with a line break. False if there is none. */
static int header(const char *text, const char *name, char *out, size_t size) {
  const char *found = strcasestr(text, name);
  if (!found) return 0;
  found += strlen(name);
  while (*found == ' ') found++;
  size_t length = strcspn(found, "\r\n");
  if (length >= size) length = size - 1;
  memcpy(out, found, length);
  out[length] = 0;
  return 1;
}

static void answered(struct phone *phone, const char *text, double now) {
  char contact[256] = "", address[64] = "127.0.0.1";
  if (header(text, "\nContact:", contact, sizeof contact)) {
    char *from = strchr(contact, '<'), *to = strchr(contact, '>');
    if (from && to) snprintf(phone->target, sizeof phone->target, "%.*s", (int)(to - from - 1), from + 1);
  }
  header(text, "\nTo:", phone->to, sizeof phone->to);
  request(phone, "ACK", 1, "a", "");
  if (phone->state != INVITING) return;
  const char *media = strstr(text, "m=audio "), *line = strstr(text, "c=IN IP4 ");
  if (line) sscanf(line + 9, "%63[0-9.]", address);
  phone->media = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(media ? atoi(media + 8) : 0)};
  inet_pton(AF_INET, address, &phone->media.sin_addr);
  if (!take_keys(&phone->keys, text)) {
    count.failed++;
    return leave(phone);
  }
  phone->state = UP;
  phone->answered_at = phone->until = now;
  count.answered++;
  if (answer_count < MAX_NOTED) answers[answer_count++] = now - phone->sent_at;
}

static void receive_sip(char *text, double now) {
  char call[128], cseq[64], value[400], reply[3000];
  if (!header(text, "\nCall-ID:", call, sizeof call) || !header(text, "\nCSeq:", cseq, sizeof cseq)) return;
  int pid, index, status;
  if (sscanf(call, "phones-%d-%d", &pid, &index) != 2 || pid != getpid() || index < 0 || index >= placed) return;
  struct phone *phone = &phones[index];
  if (sscanf(text, "SIP/2.0 %d", &status) != 1) {
    if (strncmp(text, "ACK", 3) == 0) return;
    int length = snprintf(reply, sizeof reply, "SIP/2.0 200 OK\r\n");
    for (const char *via = text; (via = strcasestr(via, "\nVia:")); via++) {
      header(via, "\nVia:", value, sizeof value);
      length += snprintf(reply + length, sizeof reply - length, "Via: %s\r\n", value);
    }
    for (const char **name = (const char *[]){"From", "To", 0}; *name; name++) {
      char key[16];
      snprintf(key, sizeof key, "\n%s:", *name);
      header(text, key, value, sizeof value);
      length += snprintf(reply + length, sizeof reply - length, "%s: %s\r\n", *name, value);
    }
    length += snprintf(reply + length, sizeof reply - length, "Call-ID: %s\r\nCSeq: %s\r\nContent-Length: 0\r\n\r\n", call, cseq);
    sip_send(reply, length);
    if (strncmp(text, "BYE", 3) == 0 && phone->state == UP) {
      count.dropped++;
      leave(phone);
    }
    return;
  }
  if (strstr(cseq, "BYE") && status >= 200) return leave(phone);
  if (!strstr(cseq, "INVITE")) return;
  if (status < 200) phone->resend_at = now + ANSWER_MS;
  else if (status < 300) answered(phone, text, now);
  else {
    header(text, "\nTo:", phone->to, sizeof phone->to);
    request(phone, "ACK", 1, "i", "");
    if (phone->state != INVITING) return;
    if (status == 503 && header(text, "\nRetry-After:", value, sizeof value)) count.refused++;
    else count.failed++;
    leave(phone);
  }
}

static void note(struct histogram *histogram, double error) {
  int bin = error / BIN_MS;
  histogram->bins[bin < BINS ? bin : BINS]++;
}

static void hear(struct phone *phone, const uint8_t *packet, ssize_t length, double at) {
  if (length < 12 + FRAME || (packet[1] & 0x7f) != 0) return;
  count.packets++;
  if (phone->packet_at > 0) {
    double error = fabs(at - phone->packet_at - FRAME_MS);
    note(at - phone->answered_at < SETTLED_MS ? &start_pace : &pace, error);
    if (error >= FRAME_MS) count.late++;
  }
  phone->packet_at = at;
  double energy = 0;
  for (int n = 0; n < FRAME; n++) energy += square[packet[12 + n]];
  if (energy <= SOUND) return;
  phone->sound_at = at;
  if (phone->talk == SPEAKING && !phone->early++) count.early++;
  if (phone->talk != WAITING || at < phone->spoke_at) return;
  // A turn that was answered too early has no gap.
  if (!phone->early && turn_count < MAX_NOTED) turns[turn_count++] = at - phone->spoke_at;
  phone->talk = LISTENING;
}

static void receive_rtp(struct phone *phone) {
  uint8_t packet[1600];
  char control[256];
  for (;;) {
    struct iovec part = {packet, sizeof packet};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t length = phone->rtp > 0 ? recvmsg(phone->rtp, &message, 0) : -1;
    if (length < 0) return;
    double at = now_ms();
    for (struct cmsghdr *c = CMSG_FIRSTHDR(&message); c; c = CMSG_NXTHDR(&message, c))
      if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
        struct timespec *stamp = (void *)CMSG_DATA(c);
        at = stamp->tv_sec * 1e3 + stamp->tv_nsec / 1e6;
      }
    hear(phone, packet, unprotect(&phone->keys, packet, length), at);
  }
}

static const uint8_t *next_codes(struct phone *phone, double now) {
  if (phone->talk == LISTENING && phone->sound_at > 0 && now - phone->sound_at >= QUIET_MS) {
    phone->talk = PAUSING;
    phone->until = now + 200 + rand() % 300;
  }
  if (phone->talk == WAITING && now - phone->spoke_at > PATIENCE_MS) {
    count.silent++;
    phone->talk = PAUSING;
  }
  if (phone->talk == PAUSING && now >= phone->until) {
    phone->clip = &clips[(phone->turn++ + (phone - phones)) % clip_count];
    phone->at = 0;
    phone->early = 0;
    phone->talk = SPEAKING;
  }
  if (phone->talk == SPEAKING) return phone->clip->codes + phone->at;
  phone->background_at = (phone->background_at + FRAME) % background.length;
  return background.codes + phone->background_at;
}

static void speak(struct phone *phone, double now) {
  uint8_t packet[12 + FRAME + 16] = {0x80, 0};
  uint32_t ssrc = 0x50000000u + (phone - phones);
  const uint8_t *codes = next_codes(phone, now);
  phone->sequence++;
  phone->stamp += FRAME;
  for (int n = 0; n < 2; n++) packet[2 + n] = phone->sequence >> (8 - 8 * n);
  for (int n = 0; n < 4; n++) packet[4 + n] = phone->stamp >> (24 - 8 * n), packet[8 + n] = ssrc >> (24 - 8 * n);
  memcpy(packet + 12, codes, FRAME);
  int ends = phone->talk == SPEAKING && phone->at + FRAME >= phone->clip->length;
  int length = protect(&phone->keys, packet, 12 + FRAME);
  if (ends || rand() % 10000 >= loss * 100) sendto(phone->rtp, packet, length, 0, (void *)&phone->media, sizeof phone->media);
  if (phone->talk == SPEAKING) phone->at += FRAME;
  if (!ends) return;
  phone->talk = WAITING;
  phone->spoke_at = now_ms();
}

static void signal_due(struct phone *phone, double now) {
  if (phone->state == INVITING && now - phone->sent_at > ANSWER_MS) {
    count.failed++;
    leave(phone);
  } else if (phone->state == INVITING && now >= phone->resend_at) {
    invite(phone);
    phone->resend_at = now + (500 << ++phone->attempts);
  } else if (phone->state == LEAVING && now >= phone->resend_at) {
    if (++phone->attempts > 6) return leave(phone);
    request(phone, "BYE", 2, "b", "");
    phone->resend_at = now + 500;
  }
}

static void tick(long ms, double now) {
  for (; to_place > 0 && placed < MAX_PHONES && now >= place_at; to_place--) {
    place(now);
    place_at += place_gap;
  }
  // 20 slots of a millisecond: 7 and 20 are coprime, so neighbours are far apart.
  for (int index = 0; index < placed; index++) {
    if ((index * 7 + ms) % FRAME_MS != 0) continue;
    if (phones[index].state == UP) speak(&phones[index], now);
    else signal_due(&phones[index], now);
  }
}

static void print_list(const char *name, const float *values, int length) {
  printf(",\"%s\":[", name);
  for (int n = 0; n < length; n++) printf(n ? ",%.1f" : "%.1f", values[n]);
  printf("]");
}

static void print_bins(const char *name, struct histogram *histogram) {
  const char *comma = "";
  printf(",\"%s\":[", name);
  for (int bin = 0; bin <= BINS; bin++) {
    if (histogram->bins[bin] == 0) continue;
    printf("%s[%.2f,%u]", comma, (bin + 1) * BIN_MS, histogram->bins[bin]);
    comma = ",";
  }
  printf("]");
  memset(histogram, 0, sizeof *histogram);
}

static void mark(const char *name) {
  int up = 0;
  for (int index = 0; index < placed; index++) up += phones[index].state == UP;
  printf("{\"mark\":\"%s\",\"up\":%d,\"answered\":%ld,\"refused\":%ld,\"failed\":%ld,\"dropped\":%ld,\"silent\":%ld,\"early\":%ld,"
    "\"packets\":%ld,\"late\":%ld", name, up, count.answered, count.refused, count.failed, count.dropped, count.silent, count.early,
    count.packets, count.late);
  print_list("turnsMs", turns, turn_count);
  print_list("answersMs", answers, answer_count);
  print_bins("pace", &pace);
  print_bins("startPace", &start_pace);
  printf("}\n");
  fflush(stdout);
  memset(&count, 0, sizeof count);
  turn_count = answer_count = 0;
}

static void command(double now) {
  char line[200], name[64];
  int number, gap;
  if (!fgets(line, sizeof line, stdin)) exit(0);
  if (sscanf(line, "begin %d %d", &number, &gap) == 2) {
    to_place += number;
    place_gap = gap;
    place_at = now;
  } else if (sscanf(line, "end %d", &number) == 1) {
    for (int index = placed - 1; index >= 0 && number > 0; index--)
      if (phones[index].state == UP) hang_up(&phones[index], now), number--;
  } else if (sscanf(line, "mark %63[A-Za-z0-9-]", name) == 1) mark(name);
}

int main(int argc, char **argv) {
  if (argc < 7) return fprintf(stderr, "usage: phones HOST PORT USER LOSS_PERCENT BACKGROUND CLIP...\n"), 2;
  host = argv[1];
  user = argv[3];
  loss = atof(argv[4]);
  server = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons(atoi(argv[2]))};
  if (inet_pton(AF_INET, host, &server.sin_addr) != 1) return fprintf(stderr, "%s is no IPv4 address\n", host), 2;
  background = load(argv[5]);
  for (int n = 6; n < argc && clip_count < MAX_CLIPS; n++) clips[clip_count++] = load(argv[n]);
  for (int code = 0; code < 256; code++) {
    // G.711: the exponent and mantissa of an inverted code.
    int magnitude = ((((~code & 0x0f) << 3) + 0x84) << ((~code & 0x70) >> 4)) - 0x84;
    square[code] = (double)magnitude * magnitude;
  }
  srand(1);
  epoll = epoll_create1(0);
  sip = sip_open(&server, &sip_port);
  timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  struct itimerspec each = {{0, 1000000}, {0, 1000000}};
  timerfd_settime(timer, 0, &each, 0);
  watch(sip, MAX_PHONES);
  watch(timer, MAX_PHONES + 1);
  watch(0, MAX_PHONES + 2);
  setvbuf(stdin, 0, _IONBF, 0);
  for (long ms = 0;;) {
    struct epoll_event events[256];
    int ready = epoll_wait(epoll, events, 256, -1);
    for (int n = 0; n < ready; n++) {
      uint64_t key = events[n].data.u64, passed;
      if (key < MAX_PHONES) receive_rtp(&phones[key]);
      else if (key == MAX_PHONES) {
        char text[8000];
        for (int length; (length = sip_receive(text, sizeof text - 1)) > 0;) {
          text[length] = 0;
          receive_sip(text, now_ms());
        }
      } else if (key == MAX_PHONES + 1) {
        if (read(timer, &passed, sizeof passed) == sizeof passed)
          for (; passed > 0; passed--) tick(++ms, now_ms());
      } else command(now_ms());
    }
  }
}
