// Checks at the start, with one request that costs nothing, whether a remote engine's server accepts the key: the
// operator finds a wrong key now, not the first caller.
import { ask, httpUrl, readVendor, type Vendor, type VendorDefaults, VendorError } from './vendor.ts';
import { DIALOGUE_VENDORS, vendorOf } from './vendors.ts';

const DEADLINE_MS = 5_000;

export interface ProbeFinding {
  kind: 'stt' | 'tts' | 'speech-to-speech';
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

/** The same of a speech-to-speech model; null: none, a plug-in, or no fault. @throws {VendorSettingError} */
export async function probeSpeechToSpeech(
  engine: string | null,
  environment: Record<string, string | undefined>,
): Promise<ProbeFinding | null> {
  const vendors: Record<string, VendorDefaults> = DIALOGUE_VENDORS;
  const defaults = engine !== null && Object.hasOwn(vendors, engine) ? vendors[engine] : undefined;
  if (engine === null || !defaults) return null;
  const message = await complaintOf(readVendor(environment, defaults));
  return message === null ? null : { kind: 'speech-to-speech', engine, message };
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
    case 'gemini-live':
      return { url: httpUrl(vendor, '/v1beta/models'), headers: { 'x-goog-api-key': vendor.apiKey ?? '' } };
    case 'elevenlabs':
      return { url: httpUrl(vendor, '/models', '/v1'), headers: { 'xi-api-key': vendor.apiKey ?? '' } };
    default:
      return {
        url: httpUrl(vendor, '/models', vendor.prefix === 'DIALOGUE' ? '/v1' : ''),
        headers: vendor.apiKey === null ? {} : { authorization: `Bearer ${vendor.apiKey}` },
      };
  }
}
