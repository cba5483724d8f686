// Runs Debian's kamailio as registrar and proxy on loopback: digest with a chosen algorithm, Record-Route, forking.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { globSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservePort } from './reserved-port.ts';

const environment = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` };
const present = spawnSync('kamailio', ['-v'], { env: environment }).error === undefined;
/** For node:test: false to run, else a reason to skip. */
export const skipWithoutKamailio: string | false = present || process.env.CI ? false : 'kamailio is not installed';

/** The same for what needs modules of packages besides `kamailio`. */
export const skipWithoutModules = (...packages: Array<'kamailio-postgres-modules' | 'kamailio-tls-modules'>) => {
  const files = { 'kamailio-postgres-modules': 'db_postgres.so', 'kamailio-tls-modules': 'tls.so' };
  const missing = packages.find((name) => globSync(`/usr/lib/*/kamailio/modules/${files[name]}`).length === 0);
  if (skipWithoutKamailio !== false || missing === undefined || process.env.CI) return skipWithoutKamailio;
  return `${missing} is not installed`;
};

export type Proxy = { port: number; stop(): Promise<void>; output(): string };

/** The user `alice` has the password `secret`; calls of two go to both `callees`, others to the first. */
const configuration = (port: number, algorithm: 'MD5' | 'SHA-256', callees: readonly number[]): string => `
debug=1
log_stderror=yes
children=1
disable_tcp=yes
listen=udp:127.0.0.1:${port}
loadmodule "tm.so"
loadmodule "sl.so"
loadmodule "rr.so"
loadmodule "pv.so"
loadmodule "usrloc.so"
loadmodule "registrar.so"
loadmodule "corex.so"
loadmodule "textops.so"
loadmodule "siputils.so"
loadmodule "maxfwd.so"
loadmodule "auth.so"
modparam("auth", "algorithm", "${algorithm === 'MD5' ? '' : algorithm}")
modparam("rr", "enable_full_lr", 1)
request_route {
  if (!mf_process_maxfwd_header("10")) { sl_send_reply("483", "Too Many Hops"); exit; }
  if (is_method("OPTIONS")) { sl_send_reply("200", "OK"); exit; }
  if (is_method("CANCEL")) { if (t_check_trans()) { t_relay(); } exit; }
  if (has_totag()) {
    if (loose_route()) { t_relay(); exit; }
    if (is_method("ACK")) { if (t_check_trans()) { t_relay(); } exit; }
    sl_send_reply("404", "Not here");
    exit;
  }
  t_check_trans();
  if (is_method("REGISTER")) {
    if (!pv_www_authenticate("test.example", "secret", "0")) { www_challenge("test.example", "1"); exit; }
    save("location");
    exit;
  }
  if (!is_method("INVITE")) { sl_send_reply("405", "Method Not Allowed"); exit; }
  record_route();
  if ($rU == "alice") {
    if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
    t_relay();
    exit;
  }
  if (!pv_proxy_authenticate("test.example", "secret", "0")) { proxy_challenge("test.example", "1"); exit; }
  consume_credentials();
  $ru = "sip:" + $rU + "@127.0.0.1:${callees[0]}";
  if ($rU =~ "2$") { append_branch("sip:second@127.0.0.1:${callees[1] ?? callees[0]}"); }
  t_relay();
}
`;

/** Sends OPTIONS until one is answered. */
const answers = async (port: number, alive: () => boolean): Promise<boolean> => {
  const socket = createSocket('udp4');
  let answered = false;
  socket.on('message', () => {
    answered = true;
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const own = socket.address().port;
  for (let attempt = 0; attempt < 100 && !answered && alive(); attempt++) {
    const head = `OPTIONS sip:127.0.0.1:${port} SIP/2.0\r\nVia: SIP/2.0/UDP 127.0.0.1:${own};branch=z9hG4bKup${attempt}`;
    const rest =
      'From: <sip:up@127.0.0.1>;tag=u\r\nTo: <sip:127.0.0.1>\r\nMax-Forwards: 9\r\nContent-Length: 0\r\n\r\n';
    socket.send(`${head}\r\nCall-ID: up${attempt}\r\nCSeq: 1 OPTIONS\r\n${rest}`, port, '127.0.0.1');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  socket.close();
  return answered;
};

export const startKamailio = (algorithm: 'MD5' | 'SHA-256', callees: readonly number[]): Promise<Proxy> =>
  startKamailioWith((port) => configuration(port, algorithm, callees));

/** The same with another configuration, and other files in its folder. */
export const startKamailioWith = async (
  configure: (port: number, folder: string) => string,
  files: Readonly<Record<string, string>> = {},
): Promise<Proxy> => {
  const folder = await mkdtemp(join(tmpdir(), 'kamailio-'));
  const port = await reservePort();
  await writeFile(join(folder, 'kamailio.cfg'), configure(port, folder));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const args = ['-DD', '-E', '-f', join(folder, 'kamailio.cfg'), '-Y', folder, '-w', folder, '-m', '16', '-M', '4'];
  const child: ChildProcess = spawn('kamailio', args, { stdio: ['ignore', 'pipe', 'pipe'], env: environment });
  let output = '';
  const keep = (data: Buffer) => {
    output = (output + data.toString('latin1')).slice(-8_000);
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  const closed = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await closed;
    clearTimeout(kill);
    await rm(folder, { recursive: true, force: true });
  };
  if (!(await answers(port, () => child.exitCode === null))) {
    await stop();
    throw new Error(`kamailio did not start: ${output}`);
  }
  return { port, stop, output: () => output };
};
