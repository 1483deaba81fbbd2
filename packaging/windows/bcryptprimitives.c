// For the test alone, what Go's programs need of Windows and Wine 8 lacks: a library that
// gives random numbers; and, which this one adds as it is loaded, the answer of a system that
// cannot remove a file the newer way (FileDispositionInformationEx), on which Go takes the
// older one. Wine's own answer is another.
#include <string.h>
#include <windows.h>
#include <winternl.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); // RtlGenRandom

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T length) { return SystemFunction036(to, length); }

typedef NTSTATUS(NTAPI *set_information)(HANDLE, PIO_STATUS_BLOCK, PVOID, ULONG, ULONG);
static set_information original;

static NTSTATUS NTAPI set(HANDLE file, PIO_STATUS_BLOCK status, PVOID information, ULONG length, ULONG class) {
	return class == 64 ? 0xC0000003 /* STATUS_INVALID_INFO_CLASS */ : original(file, status, information, length, class);
}

BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved) {
	if (reason != DLL_PROCESS_ATTACH)
		return TRUE;
	// A system call's entry is a few position-independent instructions: a copy still works.
	BYTE *entry = (BYTE *)GetProcAddress(GetModuleHandleA("ntdll"), "NtSetInformationFile");
	BYTE *copy = VirtualAlloc(NULL, 64, MEM_COMMIT, PAGE_EXECUTE_READWRITE);
	DWORD old;
	if (!entry || !copy || !VirtualProtect(entry, 12, PAGE_EXECUTE_READWRITE, &old))
		return FALSE;
	memcpy(copy, entry, 32);
	original = (set_information)copy;
	void *to = set;
	memcpy(entry, "\x48\xb8", 2); // mov rax, to; jmp rax
	memcpy(entry + 2, &to, 8);
	memcpy(entry + 10, "\xff\xe0", 2);
	return TRUE;
}
