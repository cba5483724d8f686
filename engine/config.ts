// The engine's environment, validated once at startup. The contract defines names, defaults and meanings;
// docs/configuration.md documents them for operators.

import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { CASCADE, type ModelKind } from '../db/domain/model-settings.ts';
import { VOICE_CODECS } from '../db/domain/trunk-defaults.ts';
import { messageOf } from '../db/domain/unexpected.ts';
import { type EmbeddingsSettings, readEmbeddings } from '../db/shared/settings/embeddings-settings.ts';
import {
  ConfigError,
  type Environment,
  readAddresses,
  readChoice,
  readFlag,
  readInteger,
  readPort,
  readSharedConfig,
  readText,
  readUrl,
  type SharedConfig,
} from '../db/shared/settings/environment.ts';
import { refuseSharedPorts } from '../db/shared/settings/ports.ts';
import {
  defaultEngine,
  engineNames,
  findEngine,
  TURN_ENDS,
  type TurnEnd,
  whyNotLocal,
  whyNotTurnEnd,
} from '../models/install/catalogue.ts';
import { FIRST_WORD_MS } from '../models/llm/llm.ts';
import { readVendor, VendorSettingError } from '../models/vendors/vendor.ts';
import { DIALOGUE_VENDORS, vendorOf } from '../models/vendors/vendors.ts';
import type { AudioCodec } from './sip/telephony.ts';

/** The SIP stack; with `freeswitch`, also the server that carries the audio. */
type TelephonyConfig =
  | { kind: 'embedded' }
  | { kind: 'drachtio'; drachtio: ServerAddress; allowsUncheckedTls: boolean }
  | {
      kind: 'freeswitch';
      drachtio: ServerAddress;
      allowsUncheckedTls: boolean;
      freeswitch: ServerAddress[];
      media: 'rtp' | 'fork';
    };

interface ServerAddress {
  host: string;
  port: number;
  secret: string;
}

export interface EngineConfig extends SharedConfig {
  telephony: TelephonyConfig;
  sipHost: string;
  sipPort: number;
  sipTls: { port: number; files: { certPem: string; keyPem: string } } | null;
  /** CIDRs from which INVITEs are accepted, in addition to the trunks' own. */
  sipInboundAllow: string[];
  /** Proxies of our own in front of this engine: addresses that may say in a header where a request came from. */
  edgeProxies: string[];
  /**
   * host:port of the proxy through which this engine's own requests leave, and at which carriers reach us; null: none.
   */
  sipEdge: string | null;
  /** Codecs of callers and destinations without a trunk, in order of preference. */
  sipCodecs: AudioCodec[];
  sipPrefersWideband: boolean;
  rtpPortMin: number;
  rtpPortMax: number;
  externalIp: string | null;
  mediaWsHost: string;
  mediaWsPort: number;
  mediaWsPublicUrl: string | null;
  /** The UDP port of browsers' audio, null: the number of the socket's port. Null: their socket alone. */
  webRtc: { port: number | null } | null;
  /** Reverse proxies, through which all browsers connect. */
  trustProxy: string[];
  llm: string;
  openai: { apiKey: string | null; baseUrl: string | null; model: string };
  /** How long a caller waits for the model's first word, unless the agent says otherwise. */
  llmTimeoutMs: number;
  /** The model that judges tests; null: only where a suite names one. */
  judgeModel: string | null;
  /** The model that plays simulated callers with a goal; null: rules do. */
  callerModel: string | null;
  /** Tests by voice at once, beside the calls of people. */
  testCalls: number;
  /** The fallback model; null without one. */
  llmFallback: { apiKey: string | null; baseUrl: string | null; model: string } | null;
  /** Null: documents are searched by their words alone. */
  embeddings: EmbeddingsSettings | null;
  stt: string;
  tts: string;
  turnEnd: TurnEnd;
  /** The speech-to-speech model of the variables; null: recogniser, dialogue model and voice answer. */
  speechToSpeech: string | null;
  noiseSuppression: boolean;
  /** Calls outlive a crash of the engine. */
  resumeCalls: boolean;
  maxCalls: number | null;
  drainSeconds: number;
  /** Null: chosen by the machine and the number of calls. */
  shards: number | null;
  /** Media threads and VAD run in real time, if the process is allowed to. */
  realTime: boolean;
  /** New calls are refused while running ones are late. */
  refusesWhenLate: boolean;
  /**
   * Where the other processes of an installation on PostgreSQL ask this engine; `url` null: the listening address.
   */
  control: { host: string; port: number; url: string | null };
}

const LOOPBACK = ['127.0.0.0/8', '::1/128'];
/** Always allowed, so that `npm run caller` works with any setting. */
const THIS_MACHINE = ['127.0.0.1/32', '::1/128'];
/** A current small model: fast first token, low cost. */
const DEFAULT_OPENAI_MODEL = 'gpt-4.1-mini';

/** @throws {ConfigError} naming the variable */
export function readEngineConfig(environment: Environment): EngineConfig {
  const shared = readSharedConfig(environment);
  refuseSharedPorts(environment);
  const apiKey = readText(environment, 'OPENAI_API_KEY', null);
  const baseUrl = readUrl(environment, 'OPENAI_BASE_URL', null, ['http', 'https']);
  return {
    ...shared,
    telephony: readTelephony(environment, shared),
    sipHost: readAddress(environment, 'SIP_HOST', '127.0.0.1'),
    sipPort: readPort(environment, 'SIP_PORT', 5060),
    sipTls: readTls(environment),
    sipInboundAllow: readCidrs(environment, 'SIP_INBOUND_ALLOW', LOOPBACK),
    edgeProxies: readAddresses(environment, 'EDGE_PROXIES'),
    sipEdge: readHostPortText(environment, 'SIP_EDGE'),
    sipCodecs: readCodecs(environment),
    sipPrefersWideband: readChoice(environment, 'SIP_ANSWER_CODEC', ['wideband', 'first'], 'wideband') === 'wideband',
    ...readRtpPorts(environment),
    externalIp:
      readText(environment, 'EXTERNAL_IP', null) === null ? null : readAddress(environment, 'EXTERNAL_IP', ''),
    mediaWsHost: readText(environment, 'MEDIA_WS_HOST', '127.0.0.1'),
    mediaWsPort: readPort(environment, 'MEDIA_WS_PORT', 8081),
    mediaWsPublicUrl: readUrl(environment, 'MEDIA_WS_PUBLIC_URL', null, ['ws', 'wss']),
    webRtc: readWebRtc(environment),
    trustProxy: readAddresses(environment, 'TRUST_PROXY'),
    llm: readEngineName('llm', environment, shared.dataDir),
    openai: { apiKey, baseUrl, model: readText(environment, 'OPENAI_MODEL', DEFAULT_OPENAI_MODEL) },
    llmTimeoutMs: readInteger(environment, 'LLM_TIMEOUT_MS', FIRST_WORD_MS, { min: 1_000, max: 30_000 }),
    judgeModel: readText(environment, 'JUDGE_MODEL', null),
    callerModel: readText(environment, 'CALLER_MODEL', null),
    testCalls: readInteger(environment, 'TEST_CALLS', 1, { min: 1, max: 50 }),
    llmFallback: readLlmFallback(environment),
    embeddings: readEmbeddings(environment),
    stt: readEngineName('stt', environment, shared.dataDir),
    tts: readEngineName('tts', environment, shared.dataDir),
    turnEnd: readTurnEnd(environment, join(shared.dataDir, 'models')),
    speechToSpeech: readSpeechToSpeech(environment),
    resumeCalls: readChoice(environment, 'RESUME_CALLS', ['on', 'off'], 'on') === 'on',
    noiseSuppression: readChoice(environment, 'NOISE_SUPPRESSION', ['off', 'rnnoise'], 'off') === 'rnnoise',
    maxCalls: readInteger(environment, 'MAX_CALLS', null, { min: 1, max: 100_000 }),
    drainSeconds: readInteger(environment, 'DRAIN_SECONDS', 30, { min: 0, max: 86_400 }),
    shards: readInteger(environment, 'SHARDS', null, { min: 1, max: 64 }),
    realTime: readFlag(environment, 'REAL_TIME', true),
    refusesWhenLate: readFlag(environment, 'REFUSE_WHEN_LATE', true),
    control: {
      host: readAddress(environment, 'CONTROL_HOST', '127.0.0.1'),
      port: readPort(environment, 'CONTROL_PORT', 0),
      url: readUrl(environment, 'CONTROL_URL', null, ['http', 'https']),
    },
  };
}

/** host or host:port. @throws {ConfigError} */
function readHostPortText(environment: Environment, name: string): string | null {
  const text = readText(environment, name, null);
  if (text === null) return null;
  if (!/^(\[[\da-f:]+\]|[\w.-]+)(:\d{1,5})?$/i.test(text)) {
    throw new ConfigError(name, `"${text}" does not have the form host:port`);
  }
  return text;
}

const PUBLISHED_SECRETS = ['cymru', 'ClueCon'];
const isLoopback = (host: string): boolean => host === 'localhost' || host === '::1' || host.startsWith('127.');

/**
 * The vendors' default secrets are public: with one of them, anyone who reaches the port controls every call.
 * @throws {ConfigError}
 */
function refusePublishedSecrets({ appEnv }: SharedConfig, telephony: TelephonyConfig): void {
  if (appEnv !== 'production' || telephony.kind === 'embedded') return;
  const servers: Array<[variable: string, ServerAddress]> = [['DRACHTIO_SECRET', telephony.drachtio]];
  if (telephony.kind === 'freeswitch')
    servers.push(...telephony.freeswitch.map((server): [string, ServerAddress] => ['FREESWITCH_SECRET', server]));
  for (const [variable, { host, secret }] of servers) {
    if (PUBLISHED_SECRETS.includes(secret) && !isLoopback(host))
      throw new ConfigError(variable, `must not be the vendor's published default for ${host} with APP_ENV=production`);
  }
}

function readAddress(environment: Environment, name: string, fallback: string): string {
  const text = readText(environment, name, fallback);
  if (isIP(text) === 0) throw new ConfigError(name, `"${text}" is not an IP address`);
  return text;
}

function readTelephony(environment: Environment, shared: SharedConfig): TelephonyConfig {
  const telephony = readTelephonyServers(environment);
  refusePublishedSecrets(shared, telephony);
  return telephony;
}

function readTelephonyServers(environment: Environment): TelephonyConfig {
  const kind = readChoice(environment, 'TELEPHONY', ['embedded', 'drachtio', 'freeswitch'], 'embedded');
  if (kind === 'embedded') return { kind };
  const drachtio = {
    host: readText(environment, 'DRACHTIO_HOST', '127.0.0.1'),
    port: readPort(environment, 'DRACHTIO_PORT', 9022),
    secret: readText(environment, 'DRACHTIO_SECRET', 'cymru'),
  };
  const allowsUncheckedTls = readFlag(environment, 'DRACHTIO_UNCHECKED_TLS', false);
  if (kind === 'drachtio') return { kind, drachtio, allowsUncheckedTls };
  const media = readChoice(environment, 'FREESWITCH_MEDIA', ['rtp', 'fork'], 'rtp');
  return { kind, drachtio, allowsUncheckedTls, freeswitch: readFreeswitch(environment), media };
}

/**
 * `host`, `host:port` or `host:port:password`, several separated by commas. FREESWITCH_PORT and FREESWITCH_SECRET are
 * the defaults.
 */
function readFreeswitch(environment: Environment): ServerAddress[] {
  const port = readPort(environment, 'FREESWITCH_PORT', 8021);
  const secret = readText(environment, 'FREESWITCH_SECRET', 'ClueCon');
  const list = readText(environment, 'FREESWITCH_HOST', '127.0.0.1');
  return list.split(',').map((entry) => {
    const match = /^(\[[^\]]+\]|[^:\s]+)(?::(\d{1,5})(?::(.+))?)?$/.exec(entry.trim());
    const [, host, ownPort, ownSecret] = match ?? [];
    if (host === undefined || Number(ownPort ?? port) > 65_535) {
      throw new ConfigError(
        'FREESWITCH_HOST',
        `"${entry.trim().split(':')[0]}" does not have the form host:port:password`,
      );
    }
    return {
      host: host.replace(/^\[|\]$/g, ''),
      port: ownPort === undefined ? port : Number(ownPort),
      secret: ownSecret ?? secret,
    };
  });
}

function readCodecs(environment: Environment): AudioCodec[] {
  const text = readText(environment, 'SIP_CODECS', VOICE_CODECS.join(','));
  const names = text.split(',').map((name) => name.trim().toUpperCase());
  const codecs = names.map((name) => {
    const codec = VOICE_CODECS.find((known) => known === name);
    if (codec === undefined)
      throw new ConfigError('SIP_CODECS', `"${name}" is not a codec; known are ${VOICE_CODECS.join(', ')}`);
    return codec;
  });
  return [...new Set(codecs)];
}

function readRtpPorts(environment: Environment): { rtpPortMin: number; rtpPortMax: number } {
  const rtpPortMin = readPort(environment, 'RTP_PORT_MIN', 20_000);
  const rtpPortMax = readPort(environment, 'RTP_PORT_MAX', 29_999);
  const anyPort = rtpPortMin === 0 || rtpPortMax === 0;
  if (!anyPort && rtpPortMax - rtpPortMin < 3) {
    throw new ConfigError('RTP_PORT_MAX', `${rtpPortMax} must be at least 3 above RTP_PORT_MIN (${rtpPortMin})`);
  }
  return anyPort ? { rtpPortMin: 0, rtpPortMax: 0 } : { rtpPortMin, rtpPortMax };
}

function readWebRtc(environment: Environment): EngineConfig['webRtc'] {
  if (readText(environment, 'WEBRTC_PORT', null) === 'off') return null;
  return { port: readInteger(environment, 'WEBRTC_PORT', null, { min: 0, max: 65_535 }) };
}

function readTls(environment: Environment): EngineConfig['sipTls'] {
  const port = readInteger(environment, 'SIP_TLS_PORT', null, { min: 0, max: 65_535 });
  const certificatePath = readText(environment, 'SIP_TLS_CERT', null);
  const keyPath = readText(environment, 'SIP_TLS_KEY', null);
  if (port === null && certificatePath === null && keyPath === null) return null;
  const isMissing = 'is not set: TLS needs SIP_TLS_PORT, SIP_TLS_CERT and SIP_TLS_KEY';
  if (port === null) throw new ConfigError('SIP_TLS_PORT', isMissing);
  if (certificatePath === null) throw new ConfigError('SIP_TLS_CERT', isMissing);
  if (keyPath === null) throw new ConfigError('SIP_TLS_KEY', isMissing);
  const files = { certPem: readPem('SIP_TLS_CERT', certificatePath), keyPem: readPem('SIP_TLS_KEY', keyPath) };
  try {
    createSecureContext({ cert: files.certPem, key: files.keyPem });
  } catch (error) {
    throw new ConfigError('SIP_TLS_CERT', `cannot be used with its SIP_TLS_KEY: ${messageOf(error)}`);
  }
  return { port, files };
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError(name, `${path} cannot be read: ${messageOf(error)}`);
  }
}

function readCidrs(environment: Environment, name: string, fallback: string[]): string[] {
  const text = readText(environment, name, null);
  if (text === null) return fallback;
  const cidrs = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  for (const cidr of cidrs) {
    const [address = '', bits, ...rest] = cidr.split('/');
    const version = isIP(address);
    const width = version === 6 ? 128 : 32;
    const bad =
      version === 0 || rest.length > 0 || (bits !== undefined && !(/^\d+$/.test(bits) && Number(bits) <= width));
    if (bad) throw new ConfigError(name, `"${cidr}" is not a CIDR such as 192.168.1.0/24`);
  }
  return [...new Set([...THIS_MACHINE, ...cidrs])];
}

/**
 * The engine that these variables choose; of speech-to-speech models also CASCADE, none.
 * @throws {ConfigError} naming the variable
 */
export function readEngineName(kind: ModelKind, environment: Environment, dataDir: string): string {
  if (kind === 'speech-to-speech') return readSpeechToSpeech(environment) ?? CASCADE;
  if (kind !== 'llm') return readEngine(environment, kind === 'stt' ? 'STT' : 'TTS', join(dataDir, 'models'));
  const isSet = (name: string): boolean => readText(environment, name, null) !== null;
  return readLlm(environment, isSet('OPENAI_API_KEY') || isSet('OPENAI_BASE_URL'));
}

/** A name from the catalogue, an installed model, or a plug-in, with the settings that it needs. */
function readEngine(environment: Environment, variable: 'STT' | 'TTS', modelsDir: string): string {
  const kind = variable === 'STT' ? 'stt' : 'tts';
  const name = readText(environment, variable, defaultEngine(kind, modelsDir));
  if (name.startsWith('module:')) return name;
  const reason = whyNotLocal(kind, name, modelsDir);
  if (reason !== null) throw new ConfigError(variable, reason);
  if (!findEngine(kind, name)) {
    const names = engineNames(kind).join(', ');
    throw new ConfigError(variable, `"${name}" is not one of ${names}, sherpa:NAME, or module:/path/to/engine.ts`);
  }
  try {
    vendorOf(kind, name, environment);
  } catch (error) {
    if (error instanceof VendorSettingError) throw new ConfigError(error.variable, error.message);
    throw error;
  }
  return name;
}

function readTurnEnd(environment: Environment, modelsDir: string): TurnEnd {
  const turnEnd = readChoice(environment, 'TURN_END', TURN_ENDS, 'rules');
  const reason = whyNotTurnEnd(turnEnd, modelsDir);
  if (reason !== null) throw new ConfigError('TURN_END', reason);
  return turnEnd;
}

/** @throws {ConfigError} for an engine that does not exist, or lacks a setting */
function readSpeechToSpeech(environment: Environment): string | null {
  const name = readText(environment, 'DIALOGUE', CASCADE);
  if (name === CASCADE) return null;
  if (name.startsWith('module:')) return name;
  if (!Object.hasOwn(DIALOGUE_VENDORS, name)) {
    const names = [CASCADE, ...Object.keys(DIALOGUE_VENDORS)].join(', ');
    throw new ConfigError('DIALOGUE', `"${name}" is not one of ${names}, or module:/path/to/engine.ts`);
  }
  try {
    readVendor(environment, DIALOGUE_VENDORS[name as keyof typeof DIALOGUE_VENDORS]);
  } catch (error) {
    if (error instanceof VendorSettingError) throw new ConfigError(error.variable, error.message);
    throw error;
  }
  return name;
}

function readLlmFallback(environment: Environment): EngineConfig['llmFallback'] {
  const apiKey = readText(environment, 'LLM_FALLBACK_API_KEY', null);
  const baseUrl = readUrl(environment, 'LLM_FALLBACK_BASE_URL', null, ['http', 'https']);
  const model = readText(environment, 'LLM_FALLBACK_MODEL', null);
  if (apiKey === null && baseUrl === null && model === null) return null;
  return { apiKey, baseUrl, model: model ?? DEFAULT_OPENAI_MODEL };
}

function readLlm(environment: Environment, openaiIsSet: boolean): string {
  const text = readText(environment, 'LLM', openaiIsSet ? 'openai' : 'receptionist');
  if (text === 'receptionist' || text === 'openai' || text.startsWith('module:')) return text;
  throw new ConfigError('LLM', `"${text}" is neither receptionist nor openai`);
}
