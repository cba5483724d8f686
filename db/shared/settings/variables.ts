// The environment variables of the service, for whoever misspells one: a wrong name would else be silent. A test holds
// the list against docs/configuration.md.
import { byDistance } from '../../domain/nearest-name.ts';
import type { Environment } from './environment.ts';

export const VARIABLES: readonly string[] = (
  'APP_ENV DATA_DIR DATABASE_URL DATABASE_DIRECT_URL SEALING_KEY API_HOST API_PORT PUBLIC_URL SIP_HOST SIP_PORT SIP_TLS_PORT SIP_TLS_CERT ' +
  'SIP_TLS_KEY SIP_INBOUND_ALLOW SIP_CODECS SIP_ANSWER_CODEC RTP_PORT_MIN RTP_PORT_MAX EXTERNAL_IP ' +
  'MEDIA_WS_HOST MEDIA_WS_PORT MEDIA_WS_PUBLIC_URL WEBRTC_PORT TURN_URLS TURN_SECRET TELEPHONY DRACHTIO_HOST DRACHTIO_PORT ' +
  'DRACHTIO_SECRET DRACHTIO_UNCHECKED_TLS FREESWITCH_HOST FREESWITCH_PORT FREESWITCH_SECRET FREESWITCH_MEDIA LLM ' +
  'OPENAI_API_KEY OPENAI_BASE_URL OPENAI_MODEL AGENT_MODELS LLM_FALLBACK_BASE_URL LLM_FALLBACK_API_KEY ' +
  'LLM_FALLBACK_MODEL LLM_TIMEOUT_MS JUDGE_MODEL CALLER_MODEL TEST_CALLS EMBEDDINGS_BASE_URL EMBEDDINGS_API_KEY EMBEDDINGS_MODEL EMBEDDINGS_DIMENSIONS STT TTS STT_BASE_URL STT_API_KEY STT_MODEL STT_INTERIMS TTS_BASE_URL TTS_API_KEY TTS_MODEL ' +
  'DIALOGUE DIALOGUE_API_KEY DIALOGUE_BASE_URL DIALOGUE_MODEL DIALOGUE_VOICE TTS_VOICES TTS_CONCURRENCY TTS_WORD_TIMES TURN_END MODELS_MIRROR NOISE_SUPPRESSION RESUME_CALLS WARM_STANDBY JWT_SECRET ADMIN_EMAIL ADMIN_PASSWORD DEMO ' +
  'METRICS_PORT CONTROL_HOST CONTROL_PORT CONTROL_URL EDGE_PROXIES SIP_EDGE MAX_CALLS SHARDS REAL_TIME DRAIN_SECONDS RATE_LIMIT_PER_MINUTE TRUST_PROXY SMTP_URL MAIL_FROM ' +
  'S3_ENDPOINT S3_BUCKET S3_REGION S3_ACCESS_KEY_ID S3_SECRET_ACCESS_KEY S3_PREFIX S3_PATH_STYLE ' +
  'OIDC_ISSUER OIDC_CLIENT_ID OIDC_CLIENT_SECRET OIDC_NAME OIDC_SCOPES OIDC_GROUPS_CLAIM OIDC_ROLES OIDC_DEFAULT_ROLE OIDC_DOMAINS OIDC_ACCOUNT OIDC_CREATE_USERS OIDC_LINK_BY_EMAIL OIDC_TRUST_EMAIL OIDC_SESSION_HOURS OIDC_ONLY OIDC_SIGN_OUT ' +
  'GOOGLE_CLIENT_ID GOOGLE_CLIENT_SECRET MICROSOFT_CLIENT_ID MICROSOFT_TENANT CALENDAR_API_BASE ' +
  'OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_TRACES_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_SERVICE_NAME OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT ' +
  'CARRIER CARRIER_API_BASE BILLING STRIPE_SECRET_KEY STRIPE_API_BASE REGISTRATION WEBHOOK_ALLOW_PRIVATE WEBHOOK_ALLOW_HTTP LOG_LEVEL'
).split(' ');

/** Other names that the service, Node or a vendor's own programs read. */
const ALSO_READ = [
  'DEEPGRAM_API_KEY',
  'ELEVENLABS_API_KEY',
  'XI_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'SUPERVISED',
  'NODE_EXTRA_CA_CERTS',
];

/** Nobody else's variables begin so. */
const OWN_PREFIXES = [
  'STT_',
  'TTS_',
  'LLM_',
  'DIALOGUE_',
  'EMBEDDINGS_',
  'SIP_',
  'RTP_',
  'MEDIA_WS_',
  'WEBRTC_',
  'DRACHTIO_',
  'FREESWITCH_',
  'WEBHOOK_',
  'DATABASE_',
  'S3_',
  'CONTROL_',
];
const DISTANCE_MAX = 2;
/** Shorter names are near too many others. */
const LENGTH_MIN = 6;

interface Misspelt {
  variable: string;
  didYouMean: string;
}

/** Variables that are set, mean nothing here, and look like one of ours. */
export function misspeltVariables(environment: Environment): Misspelt[] {
  const known = new Set([...VARIABLES, ...ALSO_READ]);
  return Object.keys(environment)
    .filter((name) => !known.has(name) && (environment[name] ?? '').trim() !== '')
    .flatMap((variable) => {
      const meant = whatWasMeant(variable);
      return meant === null ? [] : [{ variable, didYouMean: meant }];
    });
}

function whatWasMeant(variable: string): string | null {
  const bare = (name: string): string => name.replaceAll('_', '').toUpperCase();
  const same = VARIABLES.find((name) => bare(name) === bare(variable));
  if (same !== undefined) return same;
  const prefix = OWN_PREFIXES.find((each) => variable.startsWith(each));
  const candidates = prefix === undefined ? VARIABLES : VARIABLES.filter((name) => name.startsWith(prefix));
  const parts = variable.split('_');
  const longer = candidates.find((name) => parts.every((part) => name.split('_').includes(part)));
  if (prefix !== undefined && longer !== undefined) return longer;
  const [nearest] = byDistance(variable, candidates);
  if (nearest === undefined) return null;
  const isNear = variable.length >= LENGTH_MIN && nearest.distance <= DISTANCE_MAX;
  return isNear || prefix !== undefined ? nearest.name : null;
}
