import { type ChildProcess, fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { extname } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { SERVER_FOLDER } from '../server-folder.js';
import { type DerivedFormat } from '../storage/derived-files.js';

/** The compiled file, or the source when the server runs from its sources. */
const PROCESS = new URL(`platform/media/encode-process${extname(import.meta.url)}`, SERVER_FOLDER);

/** The process has memory of its own, so it ends when no picture was requested for this time. */
const IDLE_MS = 60_000;

/** To the process. */
export interface EncodeTask {
  readonly id: number;
  readonly picture: Buffer;
  readonly format: DerivedFormat;
  /** Path of the result: through a pipe, its megabytes would take the app's time. */
  readonly file: string;
}

/** From the process. */
export interface Encoded {
  readonly id: number;
  /** The sentence of the error; null when the file is written. */
  readonly error: string | null;
}

/** From Debian's package `util-linux`, which every installation has. */
const CHRT = '/usr/bin/chrt';

/**
 * Linux gives a process of this class a core only when no other one wants it, and takes it back at once. The lowest
 * priority alone delays each step of other requests by some milliseconds.
 */
function whenNothingElseRuns(): { execPath?: string; execArgv?: string[] } {
  return existsSync(CHRT) ? { execPath: CHRT, execArgv: ['--idle', '0', process.execPath, ...process.execArgv] } : {};
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Encodes pictures in a process of its own with the lowest priority: each keeps a core busy,
 * and many of them would slow every other request. The process starts with the first picture.
 */
@Injectable()
export class PictureEncoder implements OnApplicationShutdown {
  private child: ChildProcess | null = null;
  private readonly waiting = new Map<number, Waiting>();
  private tasks = 0;
  private idle: NodeJS.Timeout | null = null;

  /** @param file of the process */
  constructor(private readonly file: URL = PROCESS) {}

  /**
   * Writes the encoded picture to `file`.
   * @throws Error when the picture cannot be decoded, or the process has ended; the next picture starts another one
   */
  encode(picture: Buffer, format: DerivedFormat, file: string): Promise<void> {
    const child = (this.child ??= this.start());
    const id = (this.tasks += 1);
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.holdOpen(child);
      const task: EncodeTask = { id, picture, format, file };
      child.send(task, (error) => {
        if (error) this.end(id, (waiting) => waiting.reject(error));
      });
    });
  }

  /** Ends the process, after the last request. Pictures that no request waits for any more are dropped. */
  onApplicationShutdown(): void {
    const { child } = this;
    if (!child) return;
    this.lost(child, new Error('The process that encodes pictures was stopped.'));
    child.disconnect();
  }

  private start(): ChildProcess {
    const child = fork(this.file, [], { serialization: 'advanced', env: {}, ...whenNothingElseRuns() });
    child.on('message', ({ id, error }: Encoded) => {
      this.end(id, ({ resolve, reject }) => (error === null ? resolve() : reject(new Error(error))));
    });
    child.on('error', (error) => this.lost(child, error));
    child.on('exit', () => this.lost(child, new Error('The process that encodes pictures has ended.')));
    return child;
  }

  /** Only waiting pictures keep the app's process alive. */
  private holdOpen(child: ChildProcess): void {
    if (this.idle) clearTimeout(this.idle);
    if (this.waiting.size > 0) {
      child.ref();
      child.channel?.ref();
      return;
    }
    child.unref();
    child.channel?.unref();
    this.idle = setTimeout(() => this.onApplicationShutdown(), IDLE_MS).unref();
  }

  private end(id: number, answer: (waiting: Waiting) => void): void {
    const waiting = this.waiting.get(id);
    if (!waiting) return;
    this.waiting.delete(id);
    answer(waiting);
    if (this.child) this.holdOpen(this.child);
  }

  private lost(child: ChildProcess, error: Error): void {
    if (this.child !== child) return;
    this.child = null;
    for (const { reject } of this.waiting.values()) reject(error);
    this.waiting.clear();
  }
}
