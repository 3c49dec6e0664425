import 'reflect-metadata';
import { DOCTOR_PROGRAM } from './doctor/doctor-program.js';
import { runProgram } from './program.js';

/** `npm run doctor`. */
runProgram(DOCTOR_PROGRAM);
