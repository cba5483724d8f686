// A running call: the current turn, the transcript, and the response gaps.
import { useEffect, useState } from 'preact/hooks';
import type { Call } from '../../api-types.ts';
import type { ApiError } from '../../client.ts';
import { formatNumber } from '../../format.ts';
import { follow, linesOf, medianOf, SILENT } from '../../live/conversation.ts';
import { followCall } from '../../live/follow-call.ts';
import { ListenButton } from '../../live/listen-button.tsx';
import { Transcript } from '../../live/transcript.tsx';
import { TurnState } from '../../live/turn-state.tsx';
import { Elapsed } from '../../ui/elapsed.tsx';
import { Card, Notice } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { faultOf } from '../../use-api.ts';
import { t } from '../../words/words.ts';

export function LiveCall({ call, onEnded }: { call: Call; onEnded: () => void }) {
  const [conversation, setConversation] = useState(SILENT);
  const [isConnected, setConnected] = useState(true);
  const [error, setError] = useState<ApiError | null>(null);
  useEffect(() => {
    const abort = new AbortController();
    setConversation(SILENT);
    followCall(call.id, {
      signal: abort.signal,
      onConnected: setConnected,
      onEvent: (event) => setConversation((before) => follow(before, event)),
    }).then(
      () => abort.signal.aborted || onEnded(),
      (fault: unknown) => setError(faultOf(fault)),
    );
    return () => abort.abort();
  }, [call.id]);
  const medianMs = medianOf(conversation.gapsMs);
  return (
    <Card title={t('Live')}>
      <ErrorNotice error={error} isQuiet />
      {!isConnected && (
        <Notice tone="warn">{t('The connection broke. It goes on by itself as soon as it can.')}</Notice>
      )}
      <div class="row">
        <TurnState state={conversation.state} waiting={call.status === 'RINGING' ? t('Ringing') : t('Connected')} />
        <span class="soft">
          <Elapsed sinceMs={Date.parse(call.startedAt)} />
        </span>
        {medianMs !== null && (
          <span class="small soft number">
            {t('Replies typically after {medianMs} ms', { medianMs: formatNumber(medianMs) })}
          </span>
        )}
      </div>
      <div class="row">
        <ListenButton call={call} />
      </div>
      <Transcript said={linesOf(conversation)} isLive empty={t('Nothing has been said yet.')} />
    </Card>
  );
}
