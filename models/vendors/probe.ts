// Checks at the start, with one request that costs nothing, whether a remote engine's server accepts the key: the
// operator finds a wrong key now, not the first caller.
import { ask, httpUrl, type Vendor, VendorError } from './vendor.ts';
import { vendorOf } from './vendors.ts';

const DEADLINE_MS = 5_000;

export interface ProbeFinding {
  kind: 'stt' | 'tts';
  engine: string;
  /** For the log: names the variable that the operator should check. */
  message: string;
}

/** The faults of the chosen remote engines; empty if there are none or the server offers no request to try. */
export async function probeVendors(
  names: { stt: string; tts: string },
  environments: Record<'stt' | 'tts', Record<string, string | undefined>>,
): Promise<ProbeFinding[]> {
  const kinds = ['stt', 'tts'] as const;
  const findings = await Promise.all(
    kinds.map(async (kind): Promise<ProbeFinding | null> => {
      const vendor = vendorOf(kind, names[kind], environments[kind]);
      const message = vendor === null ? null : await complaintOf(vendor);
      return message === null ? null : { kind, engine: names[kind], message };
    }),
  );
  return findings.filter((finding) => finding !== null);
}

async function complaintOf(vendor: Vendor): Promise<string | null> {
  const { url, headers } = question(vendor);
  try {
    const answer = await ask(vendor, url, { headers, signal: AbortSignal.timeout(DEADLINE_MS) });
    await answer.body?.cancel();
    return null;
  } catch (error) {
    if (!(error instanceof VendorError)) throw error;
    // A compatible server need not have this path.
    if (error.fault === 'refused') return null;
    const where = error.fault === 'unreachable' || error.fault === 'late' ? `: look at ${vendor.prefix}_BASE_URL` : '';
    return `${error.message}${where}`;
  }
}

/** The vendors' cheapest authenticated requests. Source: their API references, read 2026-11. */
function question(vendor: Vendor): { url: URL; headers: Record<string, string> } {
  switch (vendor.name) {
    case 'deepgram':
      return { url: httpUrl(vendor, '/projects', '/v1'), headers: { authorization: `Token ${vendor.apiKey}` } };
    case 'elevenlabs':
      return { url: httpUrl(vendor, '/models', '/v1'), headers: { 'xi-api-key': vendor.apiKey ?? '' } };
    default:
      return {
        url: httpUrl(vendor, '/models'),
        headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
      };
  }
}
