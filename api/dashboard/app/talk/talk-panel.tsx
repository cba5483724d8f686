// A conversation with an agent: before it, while it runs, and after it.

import { useEffect, useRef, useState } from 'preact/hooks';
import { filledVariables, VariableFields, type Variables } from '../calls/variable-fields.tsx';
import { formatNumber } from '../format.ts';
import { medianOf } from '../live/conversation.ts';
import { Transcript } from '../live/transcript.tsx';
import { TurnState } from '../live/turn-state.tsx';
import { link } from '../router.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { Elapsed } from '../ui/elapsed.tsx';
import { Notice } from '../ui/layout.tsx';
import { Answer } from '../ui/status.tsx';
import { useApi } from '../use-api.ts';
import { t, words } from '../words/words.ts';
import { type TalkFault, WebCall } from './web-call.ts';

export function TalkPanel({ campaignId }: { campaignId: string }) {
  const [talk] = useState(() => new WebCall());
  useEffect(() => () => talk.hangUp(), [talk]);
  const phase = talk.phase.value;
  return (
    <div class="stack">
      {talk.fault.value !== null && <FaultNotice fault={talk.fault.value} />}
      {phase === 'idle' && <Beginning talk={talk} campaignId={campaignId} />}
      {phase === 'microphone' && <p role="status">{t('Waiting for the microphone. The browser may ask for it.')}</p>}
      {phase === 'connecting' && <p role="status">{t('Connecting …')}</p>}
      {phase === 'talking' && <Talking talk={talk} />}
      {phase === 'ended' && <Ended talk={talk} />}
    </div>
  );
}

function FaultNotice({ fault }: { fault: TalkFault }) {
  return (
    <Notice tone="bad">
      <strong>{fault.message}</strong>

      {fault.requestId !== null && (
        <span class="small">
          {t('Request')} <code>{fault.requestId}</code>
        </span>
      )}
    </Notice>
  );
}

function Beginning({ talk, campaignId }: { talk: WebCall; campaignId: string }) {
  const preview = useApi('previewCampaign', { params: { id: campaignId }, body: { direction: 'inbound' } });
  const [variables, setVariables] = useState<Variables>({});
  const begin = (event: Event) => {
    event.preventDefault();
    void talk.begin(campaignId, filledVariables(variables));
  };
  return (
    <Answer of={preview}>
      {({ data }) => (
        <form class="stack" onSubmit={begin}>
          <VariableFields preview={data} variables={variables} onChange={setVariables} />
          <div class="row">
            <Button look="primary">{t('Start talking')}</Button>
          </div>
          <p class="small soft">
            {t(
              'It is an ordinary call: recorded where the campaign records, kept with its transcript, counted as minutes. Headphones are best.',
            )}
          </p>
        </form>
      )}
    </Answer>
  );
}

function Talking({ talk }: { talk: WebCall }) {
  const { said, state, gapsMs } = talk.conversation.value;
  const isMuted = talk.isMuted.value;
  const medianMs = medianOf(gapsMs);
  return (
    <div class="talk">
      <div class="row spread">
        <span class="row">
          <TurnState state={state} waiting={words('Connected')} />
          <span class="soft">
            <Elapsed sinceMs={talk.startedAtMs.value} />
          </span>
          {medianMs !== null && (
            <span class="small soft number">
              {t('Replies after {ms} ms', { ms: formatNumber(gapsMs.at(-1) ?? 0) })}
              {gapsMs.length > 1 && t(', typically {ms} ms', { ms: formatNumber(medianMs) })}
            </span>
          )}
        </span>
        <span class="row">
          <Button onClick={() => talk.mute(!isMuted)} pressed={isMuted}>
            {isMuted ? t('Muted') : t('Mute')}
          </Button>
          <Button right="work" look="danger" onClick={() => talk.hangUp()}>
            {t('Hang up')}
          </Button>
        </span>
      </div>
      {talk.isLost.value && <Notice tone="warn">{t('The line was lost, joining again …')}</Notice>}
      <LevelMeter talk={talk} />
      <Transcript said={said} isLive empty={t('The agent speaks first.')} />
    </div>
  );
}

function Ended({ talk }: { talk: WebCall }) {
  const { said } = talk.conversation.value;
  return (
    <div class="talk">
      <div class="row">
        <strong role="status">{t('The call has ended.')}</strong>
        <ButtonLink look="primary" href={link(`/calls/${talk.callId.value}`)}>
          {t('Open the call')}
        </ButtonLink>
        <Button
          onClick={() => {
            talk.phase.value = 'idle';
          }}
        >
          {t('Talk again')}
        </Button>
      </div>
      <Transcript said={said} empty={t('Nothing was said.')} />
    </div>
  );
}

function LevelMeter({ talk }: { talk: WebCall }) {
  const bar = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let frame = 0;
    const draw = () => {
      // The square root: speech is far below the loudest possible sample.
      if (bar.current !== null) bar.current.style.width = `${Math.sqrt(talk.level()) * 100}%`;
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => cancelAnimationFrame(frame);
  }, [talk]);
  return (
    <div class="level" aria-hidden="true">
      <div ref={bar} />
    </div>
  );
}
