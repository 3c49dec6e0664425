import { IsIn } from 'class-validator';
import { type Frame, WORK_AREAS, type WorkArea } from '../frame.js';
import { Optional } from './fields.js';

export class FrameRequest {
  /** The work area of the page. Absent: a page of the site. */
  @Optional(IsIn(WORK_AREAS))
  p_area?: WorkArea;
}

export interface FrameCalls {
  /** The caller's roles and balance, and what is open, once a load of a page. Opens the account on a first visit. */
  get_frame: { request: FrameRequest; response: Frame };
}
