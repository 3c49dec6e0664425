import { Module } from '@nestjs/common';
import { FrameController } from './http/frame.controller.js';
import { ReadFrameHandler } from './reads/read-frame.js';

/** One call for all that the frame of a page shows of its reader. */
@Module({ controllers: [FrameController], providers: [ReadFrameHandler] })
export class FrameModule {}
