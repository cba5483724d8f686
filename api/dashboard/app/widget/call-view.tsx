// A visitor's call in the panel: before it, while it runs with what is said, and after it.
import { useEffect, useRef, useState } from 'preact/hooks';
import { useChanges } from './use-changes.ts';
import type { WidgetCall } from './widget-call.ts';
import { faultIn, type Words } from './words.ts';

interface ViewProps {
  call: WidgetCall;
  words: Words;
}

export function CallView({ call, words }: ViewProps) {
  useChanges(call);
  const { phase, fault } = call;
  if (phase === 'microphone' || phase === 'connecting')
    return (
      <div class="part">
        <p>{words[phase]}</p>
        <button type="button" onClick={() => call.end()}>
          {words.end}
        </button>
      </div>
    );
  if (phase === 'talking') return <Talking call={call} words={words} />;
  return (
    <div class="part">
      {fault !== null && <p role="alert">{faultIn(words, fault)}</p>}
      {phase === 'ended' ? (
        <p>
          <strong>{words.ended}</strong> {clockOf((call.endedAtMs ?? 0) - (call.startedAtMs ?? 0))}
        </p>
      ) : (
        <p>{words.callLead}</p>
      )}
      <button type="button" class="primary" onClick={() => void call.start()}>
        {phase === 'ended' ? words.again : words.start}
      </button>
      {call.said.length > 0 && <Captions call={call} words={words} />}
    </div>
  );
}

function Talking({ call, words }: ViewProps) {
  const [hasKeys, setKeys] = useState(false);
  return (
    <div class="part">
      <p class="state">
        <strong>{call.isLost ? words.lost : stateOf(call, words)}</strong> <Elapsed sinceMs={call.startedAtMs ?? 0} />
      </p>
      <Captions call={call} words={words} />
      {hasKeys && <Keypad call={call} words={words} />}
      <div class="acts">
        <button type="button" aria-pressed={call.isMuted} onClick={() => call.mute(!call.isMuted)}>
          {words.mute}
        </button>
        <button type="button" aria-expanded={hasKeys} onClick={() => setKeys(!hasKeys)}>
          {words.keypad}
        </button>
        <button type="button" class="danger" onClick={() => call.end()}>
          {words.end}
        </button>
      </div>
    </div>
  );
}

function stateOf({ agent, isMuted }: WidgetCall, words: Words): string {
  if (isMuted) return words.muted;
  if (agent === 'thinking' || agent === 'speaking' || agent === 'person') return words[agent];
  return words.listening;
}

const KEYS = [...'123456789*0#'];

function Keypad({ call, words }: ViewProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a border and a legend that nobody needs here
    <div class="keys" role="group" aria-label={words.keypad}>
      {KEYS.map((key) => (
        <button type="button" key={key} onClick={() => call.press(key)}>
          {key}
        </button>
      ))}
    </div>
  );
}

/** Not announced: who listens to the call hears it. */
function Captions({ call, words }: ViewProps) {
  const list = useRef<HTMLOListElement>(null);
  const { said } = call;
  const newest = said.at(-1)?.text;
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [newest, said.length]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <ol class="said" ref={list} aria-label={words.captions} tabIndex={0}>
      {said.map(({ speaker, text, timestamp }) => (
        <li key={`${speaker} ${timestamp}`} class={speaker === 'caller' ? 'mine' : ''}>
          <span class="unseen">{speaker === 'caller' ? words.you : words.us}: </span>
          {text}
        </li>
      ))}
    </ol>
  );
}

function Elapsed({ sinceMs }: { sinceMs: number }) {
  const [nowMs, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return <span class="soft">{clockOf(nowMs - sinceMs)}</span>;
}

/** `4:07`. */
function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
