/** An option that makes no sense, told to whoever opens the server and not to who asks it. */
import { EngineError } from '../index.ts';

export function wrong(message: string): EngineError {
  return new EngineError('engine.option-invalid', message);
}
