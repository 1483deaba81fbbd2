// For the test alone: Wine 8 has no bcryptprimitives.dll, from which Go's programs take
// their random numbers.
#include <windows.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) { return SystemFunction036(to, length); }
