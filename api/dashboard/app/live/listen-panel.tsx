// Listening to a running call: what is heard and said, and what a person may do about it.

import { useEffect, useRef, useState } from 'preact/hooks';
import * as LIMITS from '../api-limits.ts';
import type { Call } from '../api-types.ts';
import { call } from '../client.ts';
import { Button } from '../ui/button.tsx';
import { TextField } from '../ui/fields/field.tsx';
import { Notice } from '../ui/layout.tsx';
import { attempt } from '../ui/toast.tsx';
import { t } from '../words/words.ts';
import { linesOf } from './conversation.ts';
import { Listening, type ListenMode } from './listening.ts';
import { RunningWaveform } from './running-waveform.tsx';
import { Transcript } from './transcript.tsx';
import { TurnState } from './turn-state.tsx';

export function ListenPanel({ call: record }: { call: Pick<Call, 'id'> }) {
  const [listening] = useState(() => new Listening(record.id));
  useEffect(() => {
    void listening.begin();
    return () => listening.close();
  }, [listening]);
  const phase = listening.phase.value;
  const conversation = listening.conversation.value;
  return (
    <div class="talk">
      <div class="row spread">
        <TurnState state={phase === 'ended' ? 'ended' : conversation.state} waiting={t('Connecting')} />
        {phase === 'listening' && <Modes listening={listening} />}
      </div>
      {listening.fault.value !== null && <Notice tone="bad">{listening.fault.value}</Notice>}
      <RunningWaveform levels={listening.levels} />
      <p class="small soft">
        {t('Above the caller, below the agent.')} <Situation listening={listening} />
      </p>
      {phase === 'listening' && <Controls listening={listening} callId={record.id} />}
      <Transcript said={linesOf(conversation)} isLive empty={t('Nothing has been said yet.')} />
    </div>
  );
}

/** The text that screen readers are told when it changes. */
function Situation({ listening }: { listening: Listening }) {
  const { isMuted, isMasked, speaker } = listening.control.value;
  const mode = listening.mode.value;
  const facts = [
    mode === 'take-over' && t('You talk to the caller, and the agent is silent.'),
    mode === 'whisper' && t('The agent hears you, the caller does not.'),
    mode === 'listen' && speaker?.mode === 'talking' && t('Somebody else talks to the caller.'),
    isMuted && t('The agent is muted.'),
    isMasked && t('The recording is silence for now.'),
  ];
  return <span role="status">{facts.filter(Boolean).join(' ')}</span>;
}

function Modes({ listening }: { listening: Listening }) {
  const mode = listening.mode.value;
  const button = (wanted: ListenMode, on: string, off: string, look: 'normal' | 'primary') => (
    <Button
      look={mode === wanted ? 'normal' : look}
      pressed={mode === wanted}
      onClick={() => void listening.change(mode === wanted ? 'listen' : wanted)}
    >
      {mode === wanted ? on : off}
    </Button>
  );
  return (
    <span class="row">
      {button('whisper', t('Stop whispering'), t('Whisper to the agent'), 'normal')}
      {button('take-over', t('Hand back to the agent'), t('Take over'), 'primary')}
    </span>
  );
}

function Controls({ listening, callId }: { listening: Listening; callId: string }) {
  const [text, setText] = useState('');
  const { isMuted, isMasked, speaker } = listening.control.value;
  const isTalkedOn = speaker?.mode === 'talking';
  const isSaying = useRef(false);
  const control = (body: Parameters<typeof bodyOf>[0]) =>
    attempt(() => call('controlCall', { params: { id: callId }, body: bodyOf(body) }));
  const say = async (event: Event) => {
    event.preventDefault();
    if (text.trim() === '' || isSaying.current) return;
    isSaying.current = true;
    if (await control({ kind: 'say', text, when: 'pause' })) setText('');
    isSaying.current = false;
  };
  return (
    <form class="stack" onSubmit={say}>
      <TextField
        label={t('Have the agent say')}
        hint={t('In the agent’s voice, as soon as both are silent.')}
        value={text}
        onChange={setText}
        limits={LIMITS.ControlCallBody.text}
        disabled={isTalkedOn}
      />
      <div class="row">
        <Button disabled={isTalkedOn || text.trim() === ''}>{t('Say it')}</Button>
        <Button pressed={isMuted} onClick={() => void control({ kind: isMuted ? 'unmute' : 'mute' })}>
          {isMuted ? t('Let the agent speak') : t('Mute the agent')}
        </Button>
        <Button
          pressed={isMasked}
          onClick={() => void control({ kind: 'recording', recording: isMasked ? 'unmask' : 'mask' })}
        >
          {isMasked ? t('Record again') : t('Mask the recording')}
        </Button>
      </div>
    </form>
  );
}

type Body =
  | { kind: 'say'; text: string; when: 'now' | 'pause' }
  | { kind: 'mute' | 'unmute' }
  | { kind: 'recording'; recording: 'mask' | 'unmask' };
const bodyOf = (body: Body): Body => body;
