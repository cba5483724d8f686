// Independent SIP peers from Debian's packages. In CI a missing peer is a failure; on a developer's machine the test is
// skipped and names the missing package.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';

const PACKAGES = { sipp: 'sip-tester', baresip: 'baresip-core', sox: 'sox', kamailio: 'kamailio' } as const;
type Peer = keyof typeof PACKAGES;

/** False, or the reason to skip; in CI a missing peer throws. */
export function missingPeer(...peers: Peer[]): string | false {
  for (const peer of peers) {
    try {
      execFileSync('sh', ['-c', `command -v ${peer}`], { stdio: 'ignore' });
    } catch {
      const reason = `${peer} is not installed (apt-get install ${PACKAGES[peer]})`;
      if (process.env.CI) throw new Error(reason);
      return reason;
    }
  }
  return false;
}

interface Run {
  code: number | null;
  output: string;
}

/** Runs a peer until it exits; killed after `timeoutMs`. */
export function runPeer(
  command: string,
  args: string[],
  options: { cwd?: string; timeoutMs: number; input?: string },
): Promise<Run> {
  return new Promise((resolve) => {
    const child = spawnPeer(command, args, options.cwd);
    let output = '';
    child.stdout?.on('data', (data) => {
      output += data;
    });
    child.stderr?.on('data', (data) => {
      output += data;
    });
    if (options.input !== undefined) child.stdin?.write(options.input);
    const limit = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
    child.on('close', (code) => {
      clearTimeout(limit);
      resolve({ code, output });
    });
  });
}

export function spawnPeer(command: string, args: string[], cwd?: string): ChildProcess {
  return spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'pipe'], env: { ...process.env, TERM: 'dumb' } });
}
