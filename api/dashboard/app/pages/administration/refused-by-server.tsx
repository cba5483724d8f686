// The table of what the servers of the dialogue model were found to refuse, and the button that forgets it.
import { useState } from 'preact/hooks';
import type { Status } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { ErrorNotice } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { say } from '../../ui/toast.tsx';
import { faultOf } from '../../use-api.ts';
import { t } from '../../words/words.ts';

type Learned = Status['learned'];

export function RefusedByServer({ learned, onForgotten }: { learned: Learned; onForgotten: () => void }) {
  return (
    <Card title={t('Refused by the model’s server')} actions={<ForgetRefused onForgotten={onForgotten} />}>
      <p class="small soft">
        {t(
          'A trial without words of a call was refused these parts of a request. They are left out, and tried again after ten minutes.',
        )}
      </p>
      <Table
        label={t('Refused by the model’s server')}
        rows={learned}
        keyOf={({ engine, server, model }) => `${engine} ${server} ${model}`}
        columns={[
          { title: t('Server'), cell: ({ server }) => server },
          { title: t('Model'), cell: ({ model }) => model },
          { title: t('Refused'), cell: ({ refused }) => refused.join(', ') },
          { title: t('Engine'), cell: ({ engine }) => engine },
          { title: t('Since'), cell: ({ at }) => <Time at={at} /> },
        ]}
      />
    </Card>
  );
}

/** Entering settings again, even the same ones, makes the engines forget what the model's server refused. */
export function ForgetRefused({ onForgotten }: { onForgotten: () => void }) {
  const [error, setError] = useState<ApiError | null>(null);
  const forget = async () => {
    try {
      await call('updateModelSettings', { params: { kind: 'llm' }, body: {} });
      setError(null);
      say(t('What the model’s server refused is forgotten'));
      onForgotten();
    } catch (reason) {
      setError(faultOf(reason));
    }
  };
  return (
    <>
      <Button onClick={() => void forget()}>{t('Forget what its server refused')}</Button>
      <ErrorNotice error={error} shown={[]} />
    </>
  );
}
