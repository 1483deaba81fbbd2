; The installer for Windows: for one user, without an administrator. /S asks nothing,
; /D=FOLDER (last, without quotes) names another folder. A newer one is installed over an
; older one. Notes and settings are kept unless the user asks to remove them.
Target amd64-unicode ; as the program is
SetCompressor /SOLID lzma
SetCompressorDictSize 64 ; both programs are nearly the same
RequestExecutionLevel user
!include MUI2.nsh
!include FileFunc.nsh

Name "Bowerbird"
OutFile "${OUT}"
InstallDir "$LOCALAPPDATA\Programs\Bowerbird"
InstallDirRegKey HKCU "Software\Bowerbird" "InstallDir"
VIProductVersion "${NUMBERS}"
VIAddVersionKey "ProductName" "Bowerbird"
VIAddVersionKey "ProductVersion" "${VERSION}"
VIAddVersionKey "FileVersion" "${VERSION}"
VIAddVersionKey "FileDescription" "Bowerbird ${VERSION}"
VIAddVersionKey "LegalCopyright" "MIT licence"

!define MUI_ICON "${ICON}"
!define MUI_UNICON "${ICON}"
!define MUI_FINISHPAGE_RUN "$INSTDIR\bowerbird.exe"
!insertmacro MUI_PAGE_DIRECTORY
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "English"
!insertmacro MUI_LANGUAGE "German"
!insertmacro MUI_LANGUAGE "Spanish"
!insertmacro MUI_LANGUAGE "French"
!insertmacro MUI_LANGUAGE "Portuguese"
!insertmacro MUI_LANGUAGE "Japanese"

LangString Running ${LANG_ENGLISH} "Bowerbird is running. Quit it and try again."
LangString Running ${LANG_GERMAN} "Bowerbird läuft noch. Beende es und versuche es erneut."
LangString Running ${LANG_SPANISH} "Bowerbird está abierto. Ciérralo y vuelve a intentarlo."
LangString Running ${LANG_FRENCH} "Bowerbird est ouvert. Quittez-le, puis réessayez."
LangString Running ${LANG_PORTUGUESE} "O Bowerbird está aberto. Feche-o e tente novamente."
LangString Running ${LANG_JAPANESE} "Bowerbirdが起動しています。終了してからもう一度お試しください。"
LangString Data ${LANG_ENGLISH} "Also delete your notes, chats and settings? What you wrote but did not publish cannot be recovered."
LangString Data ${LANG_GERMAN} "Auch deine Notizen, Chats und Einstellungen löschen? Was du geschrieben, aber nicht veröffentlicht hast, lässt sich nicht wiederherstellen."
LangString Data ${LANG_SPANISH} "¿Eliminar también tus notas, chats y ajustes? Lo que hayas escrito sin publicar no se podrá recuperar."
LangString Data ${LANG_FRENCH} "Supprimer aussi vos notes, discussions et réglages ? Ce que vous avez écrit sans le publier ne pourra pas être récupéré."
LangString Data ${LANG_PORTUGUESE} "Eliminar também as suas notas, conversas e definições? O que escreveu e não publicou não poderá ser recuperado."
LangString Data ${LANG_JAPANESE} "投稿、チャット、設定も削除しますか？書いたまま公開していないものは元に戻せません。"

; A program that runs cannot be written over: said before anything is changed.
!macro WaitForEnd
	again:
	IfFileExists "$INSTDIR\bowerbird.exe" 0 ended
	ClearErrors
	FileOpen $0 "$INSTDIR\bowerbird.exe" a
	IfErrors 0 closed
	MessageBox MB_RETRYCANCEL|MB_ICONEXCLAMATION "$(Running)" /SD IDCANCEL IDRETRY again
	SetErrorLevel 2
	Abort
	closed:
	FileClose $0
	ended:
!macroend

!macro Scheme NAME
	WriteRegStr HKCU "Software\Classes\${NAME}" "" "URL:${NAME}"
	WriteRegStr HKCU "Software\Classes\${NAME}" "URL Protocol" ""
	WriteRegStr HKCU "Software\Classes\${NAME}\DefaultIcon" "" "$INSTDIR\bowerbird.exe,0"
	WriteRegStr HKCU "Software\Classes\${NAME}\shell\open\command" "" '"$INSTDIR\bowerbird.exe" "%1"'
!macroend

; Another program may have taken the links over since.
!macro NoScheme NAME
	ReadRegStr $0 HKCU "Software\Classes\${NAME}\shell\open\command" ""
	StrCmp $0 '"$INSTDIR\bowerbird.exe" "%1"' 0 +2
	DeleteRegKey HKCU "Software\Classes\${NAME}"
!macroend

!define UNINSTALL "Software\Microsoft\Windows\CurrentVersion\Uninstall\Bowerbird"

Section
	!insertmacro WaitForEnd
	SetOutPath "$INSTDIR"
	File "${TREE}\bowerbird.exe"
	File "${TREE}\bowerbird-cli.exe"
	File "${TREE}\README.md"
	File "${TREE}\CHANGELOG.md"
	File "${TREE}\LICENSES.txt"
	WriteUninstaller "$INSTDIR\uninstall.exe"
	CreateShortcut "$SMPROGRAMS\Bowerbird.lnk" "$INSTDIR\bowerbird.exe"
	!insertmacro Scheme "nostr"
	!insertmacro Scheme "web+nostr"
	WriteRegStr HKCU "Software\Bowerbird" "InstallDir" "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayName" "Bowerbird"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayVersion" "${VERSION}"
	WriteRegStr HKCU "${UNINSTALL}" "DisplayIcon" "$INSTDIR\bowerbird.exe"
	WriteRegStr HKCU "${UNINSTALL}" "Publisher" "The Bowerbird authors"
	WriteRegStr HKCU "${UNINSTALL}" "InstallLocation" "$INSTDIR"
	WriteRegStr HKCU "${UNINSTALL}" "UninstallString" '"$INSTDIR\uninstall.exe"'
	WriteRegStr HKCU "${UNINSTALL}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
	WriteRegDWORD HKCU "${UNINSTALL}" "NoModify" 1
	WriteRegDWORD HKCU "${UNINSTALL}" "NoRepair" 1
	${GetSize} "$INSTDIR" "/S=0K" $0 $1 $2
	WriteRegDWORD HKCU "${UNINSTALL}" "EstimatedSize" $0
SectionEnd

Section Uninstall
	!insertmacro WaitForEnd
	MessageBox MB_YESNO|MB_ICONQUESTION|MB_DEFBUTTON2 "$(Data)" /SD IDNO IDNO keep
	nsExec::Exec '"$INSTDIR\bowerbird-cli.exe" data remove --yes'
	Pop $0
	keep:
	Delete "$INSTDIR\bowerbird.exe"
	Delete "$INSTDIR\bowerbird-cli.exe"
	Delete "$INSTDIR\README.md"
	Delete "$INSTDIR\CHANGELOG.md"
	Delete "$INSTDIR\LICENSES.txt"
	Delete "$INSTDIR\uninstall.exe"
	RMDir "$INSTDIR"
	Delete "$SMPROGRAMS\Bowerbird.lnk"
	!insertmacro NoScheme "nostr"
	!insertmacro NoScheme "web+nostr"
	DeleteRegValue HKCU "Software\Microsoft\Windows\CurrentVersion\Run" "social.bowerbird.desktop"
	DeleteRegKey HKCU "Software\Bowerbird"
	DeleteRegKey HKCU "${UNINSTALL}"
SectionEnd
