// Numbers that the account at the carrier has already, asked for when they are wanted and taken over by a click.
import { useState } from 'preact/hooks';
import type { Carrier } from '../../api-types.ts';
import { type ApiError, call } from '../../client.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/layout.tsx';
import { Answer, ErrorNotice } from '../../ui/status.tsx';
import { Table } from '../../ui/table.tsx';
import { say } from '../../ui/toast.tsx';
import { faultOf, useApi } from '../../use-api.ts';
import { t } from '../../words/words.ts';
import { CARRIERS } from './carrier-words.ts';

export function CarrierNumbers({ carrier: { id, kind } }: { carrier: Carrier }) {
  const [isShown, setShown] = useState(false);
  const [error, setError] = useState<ApiError | null>(null);
  const numbers = useApi('listCarrierNumbers', isShown ? { params: { id } } : null);
  const takeOver = async (phoneNumber: string) => {
    setError(null);
    try {
      await call('takeOverCarrierNumber', { params: { id }, body: { phoneNumber } });
      say(t('{phoneNumber} is yours', { phoneNumber }));
      numbers.reload();
    } catch (reason) {
      setError(faultOf(reason));
    }
  };
  return (
    <Card
      title={t('Numbers that you have at {name}', { name: CARRIERS[kind].name })}
      actions={!isShown && <Button onClick={() => setShown(true)}>{t('Show them')}</Button>}
    >
      <p class="soft">
        {t('A number that is taken over rings here: it is bound to the trunk, and nowhere else any more.')}
      </p>
      <ErrorNotice error={error} shown={[]} />
      {isShown && (
        <Answer of={numbers}>
          {({ data }) =>
            data.length === 0 ? (
              <p class="soft">{t('There is none.')}</p>
            ) : (
              <Table
                label={t('Numbers at the carrier')}
                rows={data}
                keyOf={({ phoneNumber }) => phoneNumber}
                columns={[
                  { title: t('Number'), cell: ({ phoneNumber }) => <span class="number nowrap">{phoneNumber}</span> },
                  {
                    title: '',
                    cell: ({ phoneNumber, accountId }) =>
                      accountId === null ? (
                        <Button
                          isSmall
                          onClick={() => void takeOver(phoneNumber)}
                          label={t('Take over {name}', { name: phoneNumber })}
                        >
                          {t('Take over')}
                        </Button>
                      ) : (
                        <span class="soft">{t('In use here')}</span>
                      ),
                  },
                ]}
              />
            )
          }
        </Answer>
      )}
    </Card>
  );
}
