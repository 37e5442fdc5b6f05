/**
 * The order of messages that LSP 3.17 asks for: before `initialize` and after `shutdown`, requests are errors and
 * notifications are dropped, except `exit`; `initialize` comes once.
 */
import {
  ErrorCodes,
  Message,
  type MessageStrategy,
  type MessageWriter,
  type RequestMessage,
} from 'vscode-jsonrpc/node';

const NOT_INITIALIZED = { code: ErrorCodes.ServerNotInitialized, message: 'the first request must be "initialize"' };
const SHUT_DOWN = { code: ErrorCodes.InvalidRequest, message: 'after "shutdown" there is only "exit"' };
const AGAIN = { code: ErrorCodes.InvalidRequest, message: '"initialize" is sent once' };

export function inOrder(writer: MessageWriter): MessageStrategy {
  let phase: 'new' | 'running' | 'over' = 'new';
  const faultOf = ({ method }: RequestMessage): { readonly code: number; readonly message: string } | null => {
    if (phase === 'over') return SHUT_DOWN;
    if (method === 'initialize') return phase === 'new' ? null : AGAIN;
    return phase === 'new' ? NOT_INITIALIZED : null;
  };
  return {
    handleMessage(message, next) {
      if (Message.isRequest(message)) {
        const error = faultOf(message);
        if (error !== null) return writer.write({ jsonrpc: '2.0', id: message.id, error } as Message); // a response
        if (message.method === 'initialize') phase = 'running';
        if (message.method === 'shutdown') phase = 'over';
      } else if (Message.isNotification(message) && phase !== 'running' && message.method !== 'exit') return;
      return next(message);
    },
  };
}
