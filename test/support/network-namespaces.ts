// A private network behind a NAT, and the public network in front of it, made of three network namespaces:
//
//   inside 10.9.0.2 ── 10.9.0.1 nat 198.51.100.1 ── 198.51.100.2 outside
//
// The NAT gives every flow a random port, and lets in only what answers it.
import { execFileSync, spawn } from 'node:child_process';

const INSIDE = '10.9.0.2';
export const NAT = '198.51.100.1';
export const OUTSIDE = '198.51.100.2';

const run = (command: string): string => execFileSync('sh', ['-ec', command], { encoding: 'utf8', stdio: 'pipe' });

/** False, or the reason to skip. */
export function missingNamespaces(): string | false {
  const probe = `probe-${process.pid}`;
  try {
    run('command -v ip; command -v nft');
  } catch {
    return 'ip or nft is not installed (apt-get install iproute2 nftables)';
  }
  try {
    run(`ip netns add ${probe}; ip netns exec ${probe} nft list ruleset; ip netns del ${probe}`);
    return false;
  } catch {
    return 'this process may not make network namespaces';
  }
}

export interface NattedNetwork {
  /** Runs a program in one of the two networks; kills it when the network goes. */
  spawn(where: 'inside' | 'outside', command: string, args: readonly string[], env?: Record<string, string>): Running;
  close(): void;
}

export interface Running {
  output(): string;
  /** Resolves with its exit code. */
  ended: Promise<number | null>;
  end(signal: NodeJS.Signals): void;
}

export function makeNattedNetwork(): NattedNetwork {
  const name = (part: string): string => `voice-${process.pid}-${part}`;
  const [inside, nat, outside] = [name('in'), name('nat'), name('out')];
  const within = (space: string, command: string): string => `ip netns exec ${space} ${command}`;
  const setUp = [
    ...[inside, nat, outside].flatMap((space) => [`ip netns add ${space}`, within(space, 'ip link set lo up')]),
    `ip link add lan netns ${nat} type veth peer name eth0 netns ${inside}`,
    `ip link add wan netns ${nat} type veth peer name eth0 netns ${outside}`,
    ...[
      [inside, `${INSIDE}/24`, 'eth0'],
      [nat, '10.9.0.1/24', 'lan'],
      [nat, `${NAT}/24`, 'wan'],
      [outside, `${OUTSIDE}/24`, 'eth0'],
    ].flatMap(([space = '', address, device]) => [
      within(space, `ip address add ${address} dev ${device}`),
      within(space, `ip link set ${device} up`),
    ]),
    within(inside, 'ip route add default via 10.9.0.1'),
    within(nat, "sh -c 'echo 1 > /proc/sys/net/ipv4/ip_forward'"),
    within(nat, 'nft add table ip nat'),
    within(nat, "nft 'add chain ip nat out { type nat hook postrouting priority 100; }'"),
    within(nat, "nft 'add rule ip nat out oifname wan masquerade random'"),
  ];
  run(setUp.join('\n'));
  const running: Running[] = [];
  return {
    spawn(where, command, args, env = {}) {
      const space = where === 'inside' ? inside : outside;
      const child = spawn('ip', ['netns', 'exec', space, command, ...args], { env: { ...process.env, ...env } });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
      const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
      const started: Running = { output: () => output, ended, end: (signal) => void child.kill(signal) };
      running.push(started);
      return started;
    },
    close() {
      for (const each of running) each.end('SIGKILL');
      run([inside, nat, outside].map((space) => `ip netns del ${space}`).join('\n'));
    },
  };
}
