// Tries the turn-end model: loads it, judges half a second of silence, and exits with 0.
import { messageOf } from '../../db/domain/unexpected.ts';
import { SmartTurn } from './smart-turn.ts';
import { TURN_END_RATE_HZ } from './turn-end.ts';

try {
  const model = await SmartTurn.load(process.env);
  await model.judge(new Int16Array(TURN_END_RATE_HZ / 2));
  process.exit(0);
} catch (error) {
  process.stderr.write(`${messageOf(error)}\n`);
  process.exit(1);
}
